import type { PlatformConfig } from '../config.ts';
import { limitOf } from './next-run.ts';
import { DEFAULT_QUEUE, queueNames } from './queue-place.ts';

/** How many runs of a queue wait, and how many execute. */
export interface QueueCount {
  readonly queue: string;
  readonly queued: number;
  readonly running: number;
}

export interface QueueStanding extends QueueCount {
  /** How many runs of it may execute at once; null = any number. */
  readonly limit: number | null;
}

/**
 * Each queue that the platform has now, also those in which nothing waits. What waits in a queue that
 * was taken out of the settings is told as `other`, so that there are only so many names.
 */
export function queueStandings(
  counts: readonly QueueCount[],
  config: PlatformConfig['queue'],
): QueueStanding[] {
  const names = queueNames(config);
  const of = (names: readonly string[]) => counts.filter(({ queue }) => names.includes(queue));
  const sum = (queue: string, own: readonly QueueCount[]): QueueStanding => ({
    queue,
    queued: own.reduce((total, { queued }) => total + queued, 0),
    running: own.reduce((total, { running }) => total + running, 0),
    limit: limitOf(config.queues, queue) || null,
  });
  const others = counts.filter(({ queue }) => !names.includes(queue));
  const known = [DEFAULT_QUEUE, ...names.filter((name) => name !== DEFAULT_QUEUE)];
  return [
    ...known.map((name) => sum(name, of([name]))),
    ...(others.length === 0 ? [] : [sum('other', others)]),
  ];
}
