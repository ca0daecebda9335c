import { parse } from 'acorn';
import { type AnyNode, allNodes, child, isNode } from './syntax.ts';

const OPTIONS = {
  ecmaVersion: 'latest',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
} as const;
/** Everything stands on the author's first line, so that lines keep their numbers. */
const HEAD = '(function () { return async function main() {';
const TAIL = '\n}; })';

/** What callees look like in the source engine's messages. */
function calleeText(code: string, callee: AnyNode): string {
  if (callee.type === 'MemberExpression' && callee['computed'] !== true) {
    const object = calleeText(code, child(callee, 'object'));
    return `${object}.${code.slice(child(callee, 'property').start, callee.end)}`;
  }
  if (callee.type === 'CallExpression') return `${calleeText(code, child(callee, 'callee'))}(...)`;
  if (callee.type === 'Literal' && typeof callee['value'] === 'string')
    return JSON.stringify(callee['value']);
  if (/Function/.test(callee.type)) return '(intermediate value)';
  return code.slice(callee.start, callee.end);
}

/** An error that is caught speaks the source engine's words from then on. */
function inCatches(code: string, root: AnyNode): string {
  const places: [at: number, name: string][] = [];
  for (const node of allNodes(root)) {
    const param = node['param'];
    if (node.type === 'CatchClause' && isNode(param) && param.type === 'Identifier')
      places.push([child(node, 'body').start + 1, String(param['name'])]);
  }
  let text = '';
  let at = 0;
  for (const [place, name] of places.sort(([a], [b]) => a - b)) {
    text += `${code.slice(at, place)}${name}=$inWords(${name});`;
    at = place;
  }
  return text + code.slice(at);
}

/** Line and column of a place; the parser's own help reads from the start for each. */
function lineFinder(code: string): (place: number) => { line: number; column: number } {
  const breaks = [...code.matchAll(/\r\n?|[\n\u2028\u2029]/g)].map(
    ({ 0: text, index }) => index + text.length,
  );
  return (place) => {
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    return { line: low + 1, column: place - (breaks[low - 1] ?? 0) };
  };
}

function callsOf(code: string, root: AnyNode): Record<string, string> {
  const calls: Record<string, string> = {};
  const lineAt = lineFinder(code);
  for (const node of allNodes(root)) {
    if (node.type !== 'CallExpression') continue;
    const callee = child(node, 'callee');
    const bracket = code.indexOf('(', callee.end);
    if (bracket < 0 || callee.end - callee.start > 200) continue;
    const { line, column } = lineAt(bracket);
    const place = `${line}:${column + 1 + (line === 1 ? HEAD.length : 0)}`;
    calls[place] ??= calleeText(code, callee);
  }
  return calls;
}

export interface PreparedCode {
  readonly code: string;
  readonly calls: Readonly<Record<string, string>>;
}

/** The text of a function that makes the function around an author's code, and how its calls are written. */
export function prepareCode(source: string): PreparedCode {
  try {
    const code = inCatches(source, parse(source, OPTIONS) as unknown as AnyNode);
    return {
      code: HEAD + code + TAIL,
      calls: callsOf(code, parse(code, OPTIONS) as unknown as AnyNode),
    };
  } catch (error) {
    // The interpreter says what is wrong with the text.
    if (error instanceof SyntaxError || error instanceof RangeError)
      return { code: HEAD + source + TAIL, calls: {} };
    throw error;
  }
}
