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
import { resolvePlain, resolveTagged } from '../../server/spec/yaml/scalars.ts';
import { resolved, type SourceNode, type SourceScalar } from '../../server/spec/yaml/source-map.ts';

/** The library refuses a text, or reads what this program refuses on purpose (tags, list keys). */
class Refused extends Error {}

interface State {
  readonly text: string;
  readonly anchors: Map<string, SourceNode>;
}

type At = { readonly start: number; readonly end: number };

function extent({ range }: { range?: [number, number, number] | null | undefined }): At {
  if (!range) throw new Refused('no range');
  return { start: range[0], end: range[1] };
}

const STYLES: Readonly<Record<string, SourceScalar['style']>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

function nullAt(at: number): SourceScalar {
  return { kind: 'scalar', value: null, type: 'null', style: 'plain', start: at, end: at };
}

/** A block text at the very end of a text without a line break has none, either (YAML 1.1). */
function textOf(node: Scalar, at: At, { text: source }: State): string {
  const text = typeof node.value === 'string' ? node.value : '';
  const block = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
  const cut = block && at.end >= source.length && text.endsWith('\n') && !/[\r\n]$/.test(source);
  return cut ? text.slice(0, -1) : text;
}

function scalarOf(node: Scalar, state: State): SourceScalar {
  const at = extent(node);
  const text = textOf(node, at, state);
  const style = STYLES[node.type ?? 'PLAIN'] ?? 'plain';
  const plain = style === 'plain' ? resolvePlain(node.source ?? text) : undefined;
  const tagged = node.tag !== undefined && node.tag !== '!' && resolveTagged(node.tag, text);
  const found = tagged || (plain ?? { type: 'text' as const, value: text });
  if ('problem' in found) throw new Refused(found.problem);
  const made = { kind: 'scalar' as const, value: found.value, type: found.type, style, ...at };
  return node.anchor === undefined ? made : { ...made, anchor: node.anchor };
}

function demandTag({ tag }: YAMLMap | YAMLSeq, known: string): void {
  if (tag !== undefined && tag !== '!' && tag !== known) throw new Refused(`tag ${tag}`);
}

function keyOf({ key }: Pair<unknown, unknown>, state: State): SourceScalar | undefined {
  const node = key === null ? undefined : resolved(nodeOf(key, state));
  if (node !== undefined && node.kind !== 'scalar') throw new Refused('a key of many values');
  return node === undefined ? undefined : { ...node, ...(isAlias(key) ? extent(key) : {}) };
}

function mapOf(node: YAMLMap, state: State): SourceNode {
  demandTag(node, 'tag:yaml.org,2002:map');
  const merged: SourceNode[] = [];
  const entries = node.items.flatMap((pair) => {
    const key = keyOf(pair, state) ?? nullAt(0);
    const value = pair.value === null ? nullAt(key.end) : nodeOf(pair.value, state);
    if (key.value !== '<<' || key.style !== 'plain') {
      const name = key.value === null ? 'null' : String(key.value);
      const textKey = key.type === 'text';
      return [{ key: name, textKey, keyStart: key.start, keyEnd: key.end, value }];
    }
    const target = resolved(value);
    const sources = target.kind === 'list' ? target.items : [value];
    if (sources.some((one) => resolved(one).kind !== 'map')) throw new Refused('merge key');
    merged.unshift(...sources);
    return [];
  });
  const at = extent(node);
  const ends = [
    ...entries.map((one) => Math.max(one.keyEnd, one.value.end)),
    ...merged.map((one) => one.end),
  ];
  const end = node.flow === true ? at.end : Math.max(at.start, ...ends);
  return { kind: 'map', entries, merged, flow: node.flow === true, start: at.start, end };
}

function listOf(node: YAMLSeq, state: State): SourceNode {
  demandTag(node, 'tag:yaml.org,2002:seq');
  const items = node.items.map((item) => nodeOf(item, state));
  const at = extent(node);
  const end = node.flow === true ? at.end : Math.max(at.start, ...items.map((one) => one.end));
  return { kind: 'list', items, flow: node.flow === true, start: at.start, end };
}

function aliasOf(node: Alias, { anchors }: State): SourceNode {
  const target = anchors.get(node.source);
  if (target === undefined) throw new Refused('alias');
  return { kind: 'alias', name: node.source, target, ...extent(node) };
}

function nodeOf(node: unknown, state: State): SourceNode {
  if (isAlias(node)) return aliasOf(node, state);
  let made: SourceNode;
  if (isScalar(node)) made = scalarOf(node, state);
  else if (isMap(node) || isSeq(node)) {
    // An alias inside of its own anchor leads nowhere.
    if (node.anchor !== undefined) state.anchors.delete(node.anchor);
    made = isMap(node) ? mapOf(node, state) : listOf(node, state);
  } else throw new Refused('nothing');
  const { anchor } = node;
  if (anchor === undefined || made.kind === 'alias') return made;
  const anchored = { ...made, anchor };
  state.anchors.set(anchor, anchored);
  return anchored;
}

/**
 * The tree of a text as the library `yaml` reads it, by its structure and places; what plain scalars
 * mean is asked of this program. `refused` where the library finds a fault, or more than is allowed.
 */
export function libraryTree(text: string): SourceNode | undefined | 'refused' {
  const options = { version: '1.1', schema: 'failsafe', uniqueKeys: false } as const;
  const documents = parseAllDocuments(text, {
    ...options,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [first, second] = documents;
  if (first === undefined) return undefined;
  if (second !== undefined || !('contents' in first) || first.errors.length > 0) return 'refused';
  try {
    return first.contents === null
      ? undefined
      : nodeOf(first.contents, { text, anchors: new Map() });
  } catch (refused) {
    if (refused instanceof Refused) return 'refused';
    throw refused;
  }
}
