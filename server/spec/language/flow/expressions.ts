import { parseExpressionAt } from 'acorn';

/** What is wrong with an expression: where in its text, and what. */
export interface ExpressionFault {
  readonly at: number;
  readonly message: string;
}

/** What stands between `{{` and `}}` of a template, and where. */
export interface ExpressionPart {
  readonly at: number;
  readonly body: string;
}

const OPEN = '{{';
const CLOSE = '}}';
/** An expression that is longer, or nested deeper than a parser goes, is left to the run. */
const LONGEST = 20_000;
/** So many brackets may be open; with more, an error may be the parser's own end. */
const DEEPEST = 200;
const MOST_KEPT = 5_000;
const POSITION = / \(\d+:\d+\)$/;

/** The expressions of a template, in its order; one that is not closed goes to the end. */
export function expressionsIn(template: string): ExpressionPart[] {
  const parts: ExpressionPart[] = [];
  let at = template.indexOf(OPEN);
  while (at >= 0) {
    const begin = at + OPEN.length;
    const isText = template[at - 1] === '\\';
    const close = isText ? begin : template.indexOf(CLOSE, begin);
    const end = close < 0 ? template.length : close;
    if (!isText) parts.push({ at: begin, body: template.slice(begin, end) });
    at = template.indexOf(OPEN, close < 0 || isText ? end : end + CLOSE.length);
  }
  return parts;
}

/** Where a comment that begins at a place ends; undefined when none begins there. */
function endOfComment(text: string, at: number): number | undefined {
  const [mark, skip] = text.startsWith('/*', at) ? ['*/', 2] : ['\n', 0];
  if (skip === 0 && !text.startsWith('//', at)) return undefined;
  const close = text.indexOf(mark, at + 2);
  return close < 0 ? text.length : close + skip;
}

/** True for a text of nothing but white space, semicolons and comments. */
function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const end = endOfComment(text, at) ?? (/[\s;]/.test(text.charAt(at)) ? at + 1 : undefined);
    if (end === undefined) return false;
    at = end;
  }
  return true;
}

/** How many brackets are open at a place. */
function openAt(text: string, at: number): number {
  const brackets = text.slice(0, at).match(/[()[\]{}]/g) ?? [];
  return brackets.reduce((open, bracket) => open + ('([{'.includes(bracket) ? 1 : -1), 0);
}

const known = new Map<string, ExpressionFault | null>();

function read(body: string): ExpressionFault | null {
  if (body.trim() === '' || body.length > LONGEST) return null;
  try {
    const { end } = parseExpressionAt(body, 0, {
      ecmaVersion: 'latest',
      allowAwaitOutsideFunction: true,
    });
    if (isBlank(body.slice(end))) return null;
    const at = end + body.slice(end).search(/\S/);
    return { at, message: 'Something stands behind the expression.' };
  } catch (error) {
    if (!(error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number')) {
      return null;
    }
    if (openAt(body, error.pos) > DEEPEST) return null;
    return { at: error.pos, message: `${error.message.replace(POSITION, '')}.` };
  }
}

/** What is wrong with an expression; null when it can be read. Remembered for the next version of a text. */
export function faultOf(body: string): ExpressionFault | null {
  const before = known.get(body);
  if (before !== undefined) return before;
  const fault = read(body);
  if (known.size >= MOST_KEPT) known.clear();
  known.set(body, fault);
  return fault;
}

/** A step that an expression or a code names, and where. */
export interface StepReference {
  readonly at: number;
  readonly name: string;
}

const REFERENCE =
  /\$(?:\(\s*|node\s*\[\s*|items\s*\(\s*)(?:"([^"\\\n]+)"|'([^'\\\n]+)'|`([^`\\$\n]+)`)\s*[,)\]]/g;

/** The steps that a text names by `$('…')`, `$node["…"]` and `$items("…")`. */
export function referencesIn(text: string): StepReference[] {
  return [...text.matchAll(REFERENCE)].flatMap((match) => {
    const name = match[1] ?? match[2] ?? match[3];
    return name === undefined ? [] : [{ at: match.index + match[0].indexOf(name), name }];
  });
}
