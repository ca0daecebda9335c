import type { CollapsedEdge } from '../collapse-edges.ts';
import { OUTSIDE, type Region } from './region.ts';
import type { Writing } from './writing.ts';

/** The name of a step in the source. */
export function label(writing: Writing, region: Region, id: string): string {
  const own = writing.copies.get(id) ?? id;
  return writing.refs.get(own)?.source_label ?? region.steps.get(id)?.id ?? id;
}

/** What the draft has in the place of a fork, and what there is to do about it. */
export interface Told {
  readonly how: string;
  readonly todo: string;
}

export const SIDE_BY_SIDE =
  '; in the draft they run side by side and what follows runs once with all their results.';
export const TWICE = ' in several ways; in the draft that runs once.';
export const CHECK_TWICE = 'Add it again if it has to run once for each of the ways.';
export const IN_ORDER =
  ', and what follows them crosses; in the draft all of it runs one after the other, each step after what feeds it.';
export const CHECK_ORDER = 'Check the order in which the results are put together.';
export const CHECK_COPIES =
  'Check the order in which the results are put together, and change each of the copies alike.';
export const CHECK_INPUT =
  'Check what each of them gets now: an agent sees all results before it, a function the last one only.';

/** The name of the step that a way leads to, in quotes. */
export function quoted(writing: Writing, region: Region, way: CollapsedEdge): string {
  return `"${label(writing, region, way.to)}"`;
}

/**
 * One gap for ways that are taken together: what the draft has, or that it has nothing. `note` says
 * which steps were copied for them.
 */
export function sayFork(
  writing: Writing,
  region: Region,
  source: string,
  ways: readonly CollapsedEdge[],
  told: Told | undefined,
  note = '',
): void {
  const first = ways[0];
  const from = source === OUTSIDE ? first?.from : source;
  const at = writing.copies.get(from ?? '') ?? from;
  const ref = writing.refs.get(at ?? '') ?? writing.refs.get(first?.to ?? '');
  if (ref === undefined) return;
  const names = [...new Set(ways.map((way) => quoted(writing, region, way)))].join(', ');
  const said = `"${ref.source_label}" sends its result to ${names} at once`;
  const ends = ways.map(({ to }) => writing.copies.get(to) ?? to);
  if (told === undefined) {
    const detail = `${said}; a graph follows one edge at a time.${note}`;
    writing.cards.push({ ref, kind: 'branching_shape', detail, about: 'flow', names: ends });
  } else {
    const detail = `${said}${told.how}${note}`;
    const todo = note === '' ? told.todo : CHECK_COPIES;
    const card = { ref, kind: 'carried_as', severity: 'manual', detail, todo } as const;
    writing.cards.push({ ...card, about: 'flow', names: ends });
  }
}

/** A step that the start of its workflow does not lead to. */
export function sayCutOff(writing: Writing, region: Region, id: string): void {
  const ref = writing.refs.get(writing.copies.get(id) ?? id);
  if (ref === undefined) return;
  const detail = `The start of the draft does not lead to "${label(writing, region, id)}".`;
  writing.cards.push({ ref, kind: 'branching_shape', detail, about: 'flow' });
}
