import type { RunState } from '../../engine/state.ts';
import { isObject } from '../../kernel/json.ts';

/** Levels of records between a map of the engine and its entries. */
const LEVELS = 4;

/** The first entry of a map of the engine; null of an empty one, undefined of what is no such map. */
function firstEntry(map: unknown): unknown {
  let found: unknown = map;
  for (let level = 0; level < LEVELS; level += 1) {
    if (!isObject(found)) return undefined;
    const [first] = Object.values(found);
    if (first === undefined) return level === 0 ? null : undefined;
    found = first;
  }
  return found;
}

/** The map is empty, or its first entry has a text of that name. */
function holds(map: unknown, name: string): boolean {
  const entry = firstEntry(map);
  return entry === null || (isObject(entry) && typeof entry[name] === 'string');
}

/** The lists and maps that the engine reads; all maps of one state have the same form. */
function isState(value: unknown): value is RunState {
  if (!isObject(value) || !isObject(value['setup'])) return false;
  const visited = value['visited'];
  const listed = isObject(visited) && Array.isArray(visited['tail']);
  const { frames, pending, step_counts } = value;
  return listed && holds(frames, 'kind') && holds(pending, 'frame') && holds(step_counts, 'key');
}

/** A stored state; undefined for one in a form that this version of the engine does not read. */
export function readState(stored: unknown): RunState | undefined {
  return isState(stored) ? stored : undefined;
}
