import type { JsonObject } from '../../kernel/json.ts';
import type { PlatformConfig } from '../config.ts';
import { refuse } from '../refuse.ts';
import { headStart, type QueueGroups } from './next-run.ts';

/** The queue of runs that name none. */
export const DEFAULT_QUEUE = 'default';

const PRIORITY = { least: -10, most: 10 };
const MAX_KEY_CHARS = 200;

/** Where a run waits, and what it counts towards. */
export interface QueuePlace extends QueueGroups {
  /** Seconds by which it goes before others. */
  readonly head_start: number;
}

/** Every queue that runs may name. */
export function queueNames({ queues }: Pick<PlatformConfig['queue'], 'queues'>): string[] {
  return [...new Set([DEFAULT_QUEUE, ...queues.keys()])].filter((name) => name !== '*');
}

function queueOf(config: PlatformConfig['queue'], named: unknown): string {
  // Without queues of its own a platform takes the word for the caller's own note.
  if (config.queues.size === 0 || named === undefined || named === null) return DEFAULT_QUEUE;
  const names = queueNames(config);
  if (typeof named === 'string' && names.includes(named)) return named;
  throw refuse('invalid_request', {
    message: `metadata.queue names no queue of this platform; use one of ${names.join(', ')}.`,
  });
}

function priorityOf(given: unknown): number {
  const isOne = typeof given === 'number' && Number.isInteger(given);
  return isOne && given >= PRIORITY.least && given <= PRIORITY.most ? given : 0;
}

function keyOf(given: unknown): string | null {
  return typeof given === 'string' && given !== '' && given.length <= MAX_KEY_CHARS ? given : null;
}

/**
 * The place of a run by what its request says in `metadata`: `queue`, `priority` from -10 to 10, and
 * `concurrency_key`. Values of another form count as absent.
 * @throws Refusal invalid_request for a queue that the platform does not have, where it has some.
 */
export function queuePlace(
  config: PlatformConfig['queue'],
  metadata: JsonObject,
  { workflow, caller }: Pick<QueueGroups, 'workflow' | 'caller'>,
): QueuePlace {
  return {
    queue: queueOf(config, metadata['queue']),
    workflow,
    caller,
    concurrency_key: keyOf(metadata['concurrency_key']),
    head_start: headStart(priorityOf(metadata['priority']), config.prioritySeconds),
  };
}
