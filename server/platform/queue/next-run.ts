// Which waiting run is next, as far as no store is needed for it. The promises: no limit is passed; a
// queue that has something to run is served before any other is served twice; within a queue a run is
// overtaken only by those that a higher priority lets go before it, which stop coming.

import type { ConcurrencyLimits, NamedLimits } from '../execution-limits.ts';

/** What a run counts towards. */
export interface QueueGroups {
  readonly queue: string;
  readonly workflow: string | null;
  readonly caller: string | null;
  readonly concurrency_key: string | null;
}

export type GroupCount = QueueGroups & { readonly runs: number };

/** The names that can take no further run. */
export interface FullGroups {
  readonly queues: readonly string[];
  readonly workflows: readonly string[];
  readonly callers: readonly string[];
  readonly keys: readonly string[];
}

/** The limit of a name; 0 = none. */
export function limitOf(limits: NamedLimits, name: string): number {
  return limits.get(name) ?? limits.get('*') ?? 0;
}

function fullNames(
  executing: readonly GroupCount[],
  nameOf: (group: GroupCount) => string | null,
  limit: (name: string) => number,
): string[] {
  const counts = new Map<string, number>();
  for (const group of executing) {
    const name = nameOf(group);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + group.runs);
  }
  return [...counts].flatMap(([name, runs]) =>
    limit(name) > 0 && runs >= limit(name) ? [name] : [],
  );
}

/** Who is at a limit, by what executes. */
export function fullGroups(
  executing: readonly GroupCount[],
  { queues, workflows, callers, perKey }: ConcurrencyLimits,
): FullGroups {
  return {
    queues: fullNames(
      executing,
      ({ queue }) => queue,
      (name) => limitOf(queues, name),
    ),
    workflows: fullNames(
      executing,
      ({ workflow }) => workflow,
      (name) => limitOf(workflows, name),
    ),
    callers: fullNames(
      executing,
      ({ caller }) => caller,
      (name) => limitOf(callers, name),
    ),
    keys: fullNames(
      executing,
      ({ concurrency_key }) => concurrency_key,
      () => perKey,
    ),
  };
}

/** The queue to serve: the one that was served the longest ago; of those never served, the first rank. */
export function nextQueue<Head extends { readonly queue: string; readonly rank: number }>(
  heads: readonly Head[],
  turns: ReadonlyMap<string, number>,
): Head | undefined {
  const turnOf = ({ queue }: Head): number => turns.get(queue) ?? 0;
  const [first] = [...heads].sort((a, b) => turnOf(a) - turnOf(b) || a.rank - b.rank);
  return first;
}

/** Seconds by which a priority lets a run go before others; a lower one lets others go before it. */
export function headStart(priority: number, stepSeconds: number): number {
  return priority * stepSeconds;
}
