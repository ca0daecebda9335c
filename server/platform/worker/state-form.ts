import { listOf } from '../../engine/append-list.ts';
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

/** True for the lists and maps that the engine reads today; all maps of one state have the same form. */
function isCurrentState(value: unknown): value is RunState {
  if (!isObject(value) || !isObject(value['setup'])) return false;
  const visited = value['visited'];
  const listed = isObject(visited) && Array.isArray(visited['tail']);
  const { frames, pending, step_counts } = value;
  return listed && holds(frames, 'kind') && holds(pending, 'frame') && holds(step_counts, 'key');
}

/** The record with a member that may still be a plain list as the engine's list. */
function withList(record: unknown, name: string): unknown {
  if (!isObject(record) || !Array.isArray(record[name])) return record;
  return { ...record, [name]: listOf(record[name]) };
}

/** A frame of an agent or a step, whose messages the version before kept as plain lists. */
function withLists(frame: unknown): unknown {
  if (!isObject(frame)) return frame;
  if (frame['kind'] === 'agent') return withList(frame, 'base');
  if (frame['kind'] !== 'step') return frame;
  return { ...frame, result: withList(frame['result'], 'messages') };
}

/** A model call that is waited for, whose messages the version before kept as a plain list. */
function withSentList(pending: unknown): unknown {
  if (!isObject(pending)) return pending;
  return { ...pending, effect: withList(pending['effect'], 'messages') };
}

/** The map with each of its entries changed. */
function mapEntries(map: unknown, change: (entry: unknown) => unknown, levels = LEVELS): unknown {
  if (levels === 0) return change(map);
  if (!isObject(map)) return map;
  const entries = Object.entries(map);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, mapEntries(value, change, levels - 1)]),
  );
}

/**
 * A stored state as the engine reads it today; undefined for one of a version whose lists and maps
 * nobody reads any more.
 */
export function currentState(stored: unknown): RunState | undefined {
  if (!isCurrentState(stored)) return undefined;
  const upgraded: unknown = {
    ...stored,
    frames: mapEntries(stored.frames, withLists),
    pending: mapEntries(stored.pending, withSentList),
  };
  return isCurrentState(upgraded) ? upgraded : undefined;
}
