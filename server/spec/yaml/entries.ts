import { type Cursor, complain } from './cursor.ts';
import { resolved, type SourceEntry, type SourceNode, type SourceScalar } from './source-map.ts';

/** The entries of a mapping that is being read. */
export interface Entries {
  readonly entries: SourceEntry[];
  /** What `<<` merges; the first mapping that has a key gives it. */
  merged: SourceNode[];
}

/** Entries of a mapping that begins. */
export function noEntries(): Entries {
  return { entries: [], merged: [] };
}

const NO_MERGE = 'A merge key "<<" takes a mapping or a list of mappings.';

/** Each merge key goes before those that were there. */
const MAX_MERGED = 10_000;
const TOO_MANY = `A mapping cannot merge more than ${MAX_MERGED} others.`;

/** What a merge key takes; undefined for a value that cannot be merged. */
function mergeSources(value: SourceNode): readonly SourceNode[] | undefined {
  const target = resolved(value);
  if (target.kind === 'map') return [value];
  const fits =
    target.kind === 'list' && target.items.every((item) => resolved(item).kind === 'map');
  return fits ? target.items : undefined;
}

function isMerge(key: SourceScalar): boolean {
  return key.value === '<<' && key.style === 'plain';
}

/** Refuses a merge key whose value cannot be merged. */
export function checkEntry(
  cursor: Cursor,
  { merged }: Entries,
  key: SourceScalar,
  value: SourceNode,
): void {
  if (!isMerge(key)) return;
  const sources = mergeSources(value);
  if (sources === undefined) complain(cursor, NO_MERGE, value);
  else if (merged.length + sources.length > MAX_MERGED) complain(cursor, TOO_MANY, value);
}

/** Adds an entry that was checked, or what a merge key brings; the last of several merge keys wins (YAML 1.1). */
export function addEntry(into: Entries, key: SourceScalar, value: SourceNode): void {
  if (isMerge(key)) {
    into.merged.unshift(...(mergeSources(value) ?? []).slice(0, MAX_MERGED - into.merged.length));
    return;
  }
  into.entries.push({
    key: key.value === null ? 'null' : String(key.value),
    textKey: key.type === 'text',
    keyStart: key.start,
    keyEnd: key.end,
    value,
  });
}
