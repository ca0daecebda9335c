import type { Annotation } from '../../../server/contract/dashboard/annotations.ts';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { runName } from '../../data/run-name.ts';

export type FailedRun = RunRow;

/** Failures that say the same. */
export interface Cluster {
  readonly key: string;
  /** The error without what differs from run to run. */
  readonly error: string;
  readonly name: string;
  /** The workflow's name as the run list filters by it; undefined where runs have none. */
  readonly workflow: string | undefined;
  /** Newest first. */
  readonly runs: readonly FailedRun[];
}

const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<id>'],
  [/\b[0-9a-f]{16,64}\b/gi, '<id>'],
  [/\bhttps?:\/\/[^\s"'<>]{1,300}/gi, '<address>'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [/\d+/g, '<n>'],
];

/** An error without ids, addresses, times and numbers: equal for failures of one cause. */
export function normalError(text: string): string {
  let normal = text;
  let before: string;
  // What is left out may show where something else begins.
  do {
    before = normal;
    normal = normal.replace(/\s+/g, ' ').trim();
    for (const [pattern, word] of VARIABLE) {
      normal = normal.replace(pattern, word);
    }
  } while (normal !== before);
  return normal;
}

function timeOf({ updated_at }: FailedRun): number {
  return updated_at === null ? 0 : Date.parse(updated_at);
}

/** Failed runs grouped by workflow and by what they say, the largest group first. */
export function clustersOf(runs: readonly FailedRun[]): readonly Cluster[] {
  const groups = new Map<string, FailedRun[]>();
  for (const run of runs) {
    const key = JSON.stringify([runName(run), normalError(run.error_preview ?? '')]);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [run]);
    } else {
      group.push(run);
    }
  }
  return [...groups]
    .map(([key, members]) => {
      const sorted = members.toSorted((a, b) => timeOf(b) - timeOf(a));
      const [newest] = sorted;
      return {
        key,
        error: normalError(newest?.error_preview ?? ''),
        name: newest === undefined ? '' : runName(newest),
        workflow: newest?.workflow_name || undefined,
        runs: sorted,
      };
    })
    .sort((a, b) => b.runs.length - a.runs.length);
}

/** A short name of a cluster for an address: the same text gives the same name. */
export function causeOf({ key }: Cluster): string {
  let hash = 0x811c9dc5;
  for (const letter of key) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}

/** The tag of a note that says that a failure is dealt with. */
export const DEALT_TAG = 'dealt-with';

/** The runs that somebody dealt with since they failed, with the newest note of each. */
export function dealtWith(
  runs: readonly FailedRun[],
  notes: readonly Annotation[],
): ReadonlyMap<string, Annotation> {
  const changed = new Map(runs.map((run) => [run.run_id, timeOf(run)]));
  const found = new Map<string, Annotation>();
  for (const note of notes) {
    const at = changed.get(note.run_id);
    const known = found.get(note.run_id);
    const isNewer =
      known === undefined || Date.parse(note.created_at) > Date.parse(known.created_at);
    if (at !== undefined && Date.parse(note.created_at) >= at && isNewer) {
      found.set(note.run_id, note);
    }
  }
  return found;
}

/** How many failures fell into each of `parts` equal spans from the oldest to now. */
export function trendOf(
  runs: readonly FailedRun[],
  span: { readonly from: number; readonly until: number; readonly parts: number },
): readonly number[] {
  const { from, until, parts } = span;
  const counts = new Array<number>(parts).fill(0);
  const width = Math.max(1, until - from) / parts;
  for (const run of runs) {
    const part = Math.min(parts - 1, Math.max(0, Math.floor((timeOf(run) - from) / width)));
    counts[part] = (counts[part] ?? 0) + 1;
  }
  return counts;
}

/** From the oldest failure that was read to now. */
export function spanOf(runs: readonly FailedRun[], now: number) {
  const times = runs.map(timeOf).filter((time) => time > 0);
  return { from: Math.min(now, ...times), until: now, parts: 12 };
}
