import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { SourceNode, SourceScalar } from './source-map.ts';
import { MAX_DEPTH, type SyntaxProblem, type SyntaxTree, TOO_DEEP } from './syntax.ts';
import { addEntry, noEntries } from './yaml-entries.ts';
import { resolvePlain, resolveTagged } from './yaml-scalars.ts';

const MAP_TAG = 'tag:yaml.org,2002:map';
const SEQ_TAG = 'tag:yaml.org,2002:seq';

interface Conversion {
  readonly anchors: Map<string, SourceNode>;
  readonly open: Set<string>;
  readonly problems: SyntaxProblem[];
  readonly text: string;
  depth: number;
}

interface Ranged {
  range?: [number, number, number] | null | undefined;
}

function extent(node: Ranged, fallback: number): { start: number; end: number } {
  const start = node.range?.[0] ?? fallback;
  return { start, end: Math.max(start, node.range?.[1] ?? start) };
}

const STYLES: Readonly<Record<string, SourceScalar['style']>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

function nullAt(offset: number): SourceScalar {
  return { kind: 'scalar', value: null, type: 'null', style: 'plain', start: offset, end: offset };
}

function complain(state: Conversion, at: { start: number; end: number }, message: string): void {
  state.problems.push({ message, start: at.start, end: Math.max(at.end, at.start + 1) });
}

/** A block text at the very end of a document without a line break has none, either (YAML 1.1). */
function scalarText(node: Scalar, at: { end: number }, { text: source }: Conversion): string {
  const text = typeof node.value === 'string' ? node.value : '';
  const block = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
  const cut = block && at.end >= source.length && text.endsWith('\n') && !/[\r\n]$/.test(source);
  return cut ? text.slice(0, -1) : text;
}

function convertScalar(
  node: Scalar,
  at: { start: number; end: number },
  state: Conversion,
): SourceScalar {
  const text = scalarText(node, at, state);
  const style = STYLES[node.type ?? 'PLAIN'] ?? 'plain';
  const found =
    node.tag !== undefined && node.tag !== '!'
      ? resolveTagged(node.tag, text)
      : style === 'plain'
        ? resolvePlain(node.source ?? text)
        : { type: 'text' as const, value: text };
  const anchor = node.anchor === undefined ? {} : { anchor: node.anchor };
  if ('problem' in found) {
    complain(state, at, found.problem);
    return { kind: 'scalar', value: text, type: 'text', style, ...at, ...anchor };
  }
  return { kind: 'scalar', value: found.value, type: found.type, style, ...at, ...anchor };
}

function convertKey(pair: Pair, fallback: number, state: Conversion): SourceScalar | undefined {
  const key: unknown = pair.key;
  if (key === null) return nullAt(fallback);
  if (isScalar(key)) return convertScalar(key, extent(key, fallback), state);
  if (isAlias(key)) {
    const target = state.anchors.get(key.source);
    if (target?.kind === 'scalar') return { ...target, ...extent(key, fallback) };
  }
  const at = isMap(key) || isSeq(key) ? extent(key, fallback) : { start: fallback, end: fallback };
  complain(state, at, 'A key must be a single value, not a list or a mapping.');
  return undefined;
}

function ends(nodes: readonly SourceNode[]): number[] {
  return nodes.map(({ end }) => end);
}

/** A block collection ends with its last part, whatever comments follow it. */
function lastOf(parts: readonly number[], at: { start: number }): number {
  return parts.reduce((last, end) => Math.max(last, end), at.start);
}

function convertMap(
  node: YAMLMap,
  at: { start: number; end: number },
  state: Conversion,
): SourceNode {
  const into = noEntries();
  for (const pair of node.items) {
    const key = convertKey(pair, at.start, state);
    const value = convert(pair.value, key?.end ?? at.start, state);
    const problem = key && addEntry(into, key, value);
    if (problem !== undefined) state.problems.push(problem);
  }
  const { entries, merged } = into;
  const anchor = node.anchor === undefined ? {} : { anchor: node.anchor };
  const flow = node.flow === true;
  const parts = [
    ...entries.map(({ keyEnd, value }) => Math.max(keyEnd, value.end)),
    ...ends(merged),
  ];
  return {
    kind: 'map',
    entries,
    merged,
    flow,
    ...at,
    end: flow ? at.end : lastOf(parts, at),
    ...anchor,
  };
}

function convertList(
  node: YAMLSeq,
  at: { start: number; end: number },
  state: Conversion,
): SourceNode {
  const items = node.items.map((item) => convert(item, at.start, state));
  const anchor = node.anchor === undefined ? {} : { anchor: node.anchor };
  const flow = node.flow === true;
  const end = flow ? at.end : lastOf(ends(items), at);
  return { kind: 'list', items, flow, ...at, end, ...anchor };
}

function convertAlias(
  node: Alias,
  at: { start: number; end: number },
  state: Conversion,
): SourceNode {
  const target = state.anchors.get(node.source);
  if (target !== undefined && !state.open.has(node.source)) {
    return { kind: 'alias', name: node.source, target, ...at };
  }
  complain(
    state,
    at,
    state.open.has(node.source)
      ? `The alias *${node.source} stands inside its own anchor; a document cannot contain itself.`
      : `The alias *${node.source} has no anchor before it.`,
  );
  return nullAt(at.start);
}

function convertCollection(
  node: YAMLMap | YAMLSeq,
  at: { start: number; end: number },
  state: Conversion,
): SourceNode {
  const expected = isMap(node) ? MAP_TAG : SEQ_TAG;
  if (node.tag !== undefined && node.tag !== expected && node.tag !== '!') {
    complain(state, at, `The tag ${node.tag} is not supported; remove it.`);
  }
  if (state.depth >= MAX_DEPTH) {
    complain(state, at, TOO_DEEP);
    return nullAt(at.start);
  }
  if (node.anchor !== undefined) state.open.add(node.anchor);
  state.depth += 1;
  const made = isMap(node) ? convertMap(node, at, state) : convertList(node, at, state);
  state.depth -= 1;
  if (node.anchor !== undefined) state.open.delete(node.anchor);
  return made;
}

function convert(node: unknown, fallback: number, state: Conversion): SourceNode {
  let made: SourceNode;
  if (isAlias(node)) return convertAlias(node, extent(node, fallback), state);
  if (isScalar(node)) made = convertScalar(node, extent(node, fallback), state);
  else if (isMap(node) || isSeq(node))
    made = convertCollection(node, extent(node, fallback), state);
  else return nullAt(fallback);
  if (made.kind !== 'alias' && made.anchor !== undefined) state.anchors.set(made.anchor, made);
  return made;
}

/**
 * Reads a text that has faults as far as it can be read, and lists every fault; `anchors` are those
 * before it. A text without faults comes out as `readYaml` reads it, only slower. Never throws.
 */
export function recoverYamlTree(
  text: string,
  anchors: ReadonlyMap<string, SourceNode> = new Map(),
): SyntaxTree {
  const problems: SyntaxProblem[] = [];
  try {
    const documents = parseAllDocuments(text, {
      version: '1.1',
      schema: 'failsafe',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const [first, second] = documents;
    for (const error of first?.errors ?? []) {
      problems.push({ message: error.message, start: error.pos[0], end: error.pos[1] });
    }
    if (second !== undefined) {
      const start = second.range[0];
      problems.push({
        message: 'A spec is one document; remove the second one.',
        start,
        end: start + 3,
      });
    }
    const state: Conversion = {
      anchors: new Map(anchors),
      open: new Set(),
      problems,
      text,
      depth: 0,
    };
    const contents = first?.contents ?? null;
    return { root: contents === null ? undefined : convert(contents, 0, state), problems };
  } catch (error) {
    const message = error instanceof RangeError ? TOO_DEEP : 'This text cannot be read as YAML.';
    return { root: undefined, problems: [...problems, { message, start: 0, end: 1 }] };
  }
}
