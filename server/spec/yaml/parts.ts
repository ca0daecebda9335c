import { type Cursor, complain, YamlFault } from './cursor.ts';
import type { Entries } from './entries.ts';
import { NO_PROPERTIES, type Properties, readAnchor } from './properties.ts';
import { readQuoted } from './quoted.ts';
import { resolvePlain, resolveTagged } from './scalars.ts';
import { resolved, type SourceNode, type SourceScalar } from './source-map.ts';
import { MAX_DEPTH, TOO_DEEP } from './syntax.ts';

/** A cursor with what the reading of one document must remember. */
export interface YamlReader extends Cursor {
  readonly anchors: Map<string, SourceNode>;
  /** Anchors of the collections that are not finished yet, the outermost first. */
  readonly unfinished: string[];
  depth: number;
  /** True when reading goes on behind the part that has a fault; else the first fault ends it. */
  readonly recovers: boolean;
  /** Characters that may still be read in vain. */
  spare: number;
  /** True when reading was given up. */
  ended: boolean;
}

/** What a fault leaves behind that is to be undone before reading goes on. */
export interface ReaderState {
  readonly depth: number;
  readonly unfinished: number;
}

/** The state of a reader, to come back to. */
export function stateOf({ depth, unfinished }: YamlReader): ReaderState {
  return { depth, unfinished: unfinished.length };
}

/** Goes back to a state. */
export function restore(reader: YamlReader, { depth, unfinished }: ReaderState): void {
  reader.depth = depth;
  reader.unfinished.length = unfinished;
}

const MAP_TAG = 'tag:yaml.org,2002:map';
const LIST_TAG = 'tag:yaml.org,2002:seq';

/** What stands where nothing is written. */
export function nullAt(at: number): SourceScalar {
  return { kind: 'scalar', value: null, type: 'null', style: 'plain', start: at, end: at };
}

function anchored<T extends SourceNode>(reader: YamlReader, node: T, anchor: string): T {
  const made = { ...node, anchor };
  reader.anchors.set(anchor, made);
  return made;
}

/** Makes the scalar of a text that was read. */
export function scalarOf(
  reader: YamlReader,
  text: string,
  style: SourceScalar['style'],
  start: number,
  end: number,
  { anchor, tag }: Properties,
): SourceScalar {
  const found =
    tag !== undefined && tag !== '!'
      ? resolveTagged(tag, text)
      : style === 'plain'
        ? resolvePlain(text)
        : { type: 'text' as const, value: text };
  if ('problem' in found) complain(reader, found.problem, { start, end });
  const { type, value } = 'problem' in found ? { type: 'text' as const, value: text } : found;
  const made: SourceScalar = { kind: 'scalar', value, type, style, start, end };
  return anchor === undefined ? made : anchored(reader, made, anchor);
}

/** Reads the scalar in quotes at the cursor. */
export function readQuotedScalar(reader: YamlReader, properties: Properties): SourceScalar {
  const start = reader.at;
  const style = reader.text[start] === '"' ? 'double' : 'single';
  const text = readQuoted(reader);
  return scalarOf(reader, text, style, start, reader.at, properties);
}

/** Reads the alias at the cursor. */
export function readAlias(reader: YamlReader, properties: Properties): SourceNode {
  const start = reader.at;
  if (properties !== NO_PROPERTIES) {
    throw new YamlFault('An alias has no anchor or tag of its own.', start);
  }
  const name = readAnchor(reader);
  const at = { start, end: reader.at };
  const target = reader.anchors.get(name);
  if (reader.unfinished.includes(name)) {
    const message = `The alias *${name} stands inside its own anchor; a document cannot contain itself.`;
    complain(reader, message, at);
    return nullAt(start);
  }
  if (target === undefined) {
    complain(reader, `The alias *${name} has no anchor before it.`, at);
    return nullAt(start);
  }
  return { kind: 'alias', name, target, ...at };
}

/** The node as a key. */
export function asKey(reader: YamlReader, node: SourceNode): SourceScalar {
  const key = resolved(node);
  if (key.kind !== 'scalar') {
    complain(reader, 'A key must be a single value, not a list or a mapping.', node);
    return nullAt(node.start);
  }
  return key === node ? key : { ...key, start: node.start, end: node.end };
}

/** Notes that a collection begins at the cursor. */
export function open(reader: YamlReader, { anchor }: Properties): void {
  if (reader.depth >= MAX_DEPTH) throw new YamlFault(TOO_DEEP, reader.at);
  reader.depth += 1;
  if (anchor !== undefined) reader.unfinished.push(anchor);
}

/** Notes that the collection has been read. */
export function close(reader: YamlReader, { anchor }: Properties): void {
  reader.depth -= 1;
  if (anchor !== undefined) reader.unfinished.pop();
}

function finish<T extends SourceNode>(
  reader: YamlReader,
  node: T,
  { anchor, tag }: Properties,
  expected: string,
): T {
  if (tag !== undefined && tag !== expected && tag !== '!') {
    complain(reader, `The tag ${tag} is not supported; remove it.`, {
      start: node.start,
      end: node.start + 1,
    });
  }
  return anchor === undefined ? node : anchored(reader, node, anchor);
}

/** Makes the mapping of entries that were read. */
export function finishMap(
  reader: YamlReader,
  { entries, merged }: Entries,
  start: number,
  end: number,
  flow: boolean,
  properties: Properties,
): SourceNode {
  const made = { kind: 'map' as const, entries, merged, flow, start, end };
  return finish(reader, made, properties, MAP_TAG);
}

/** Makes the list of items that were read. */
export function finishList(
  reader: YamlReader,
  items: readonly SourceNode[],
  start: number,
  end: number,
  flow: boolean,
  properties: Properties,
): SourceNode {
  const made = { kind: 'list' as const, items, flow, start, end };
  return finish(reader, made, properties, LIST_TAG);
}
