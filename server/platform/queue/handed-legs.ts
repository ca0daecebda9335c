import { setTimeout as sleep } from 'node:timers/promises';
import type { RunQueueTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import type { ExecutionThread, HandedOver } from '../legs/handed-over.ts';
import type { HeldRun, Leg } from '../legs/leg.ts';
import { type LegEnd, legOutcome } from '../legs/running-leg.ts';
import { refuse } from '../refuse.ts';
import type { RunWatch } from '../run-record/run-changes.ts';
import { DEFAULT_QUEUE, type QueuePlace } from './queue-place.ts';

// Legs that a node hands over which executes nothing itself. They wait in the queue, before what nobody
// waits for, and count towards no limit of it, as those of requests do everywhere.

/** How often the end of a leg is looked for when nobody tells of it. */
const LOOK_MS = 500;
const CLOSED_MS = 20;
/** Who waits for an answer goes before the queue. */
const AHEAD_SECONDS = 600;
/** An entry that ended without a word was ended from outside, or its worker is about to say so. */
const SETTLED_MS = 1_500;

const PLACE: QueuePlace = {
  ...{ queue: DEFAULT_QUEUE, workflow: null, caller: null, concurrency_key: null },
  head_start: AHEAD_SECONDS,
};

type Deps = Pick<PlatformDeps, 'commits' | 'queue' | 'runChanges' | 'wakeWorkers'>;

/** The leg that an entry holds, for the worker that claimed it; `told` once its end is stored. */
export function handedLeg(
  { queue }: Pick<PlatformDeps, 'queue'>,
  { handed, attempts }: RunQueueTable & { readonly handed: string },
  run: HeldRun,
  atEnd: () => void,
): { readonly leg: Leg; told(): boolean } {
  const { tail, begins }: HandedOver = JSON.parse(handed);
  const { row, state } = run;
  let isTold = false;
  const held = {
    ...{ ...run, tail },
    atEnd(end: Parameters<typeof legOutcome>[0]): void {
      tellEnd(queue, row.id, { kind: 'settled', outcome: legOutcome(end), result: null });
      isTold = true;
      atEnd();
    },
  };
  const hasBegun = state.status === 'running' && state.started_at !== null;
  const legOf = (): Leg => {
    if (begins !== null && !hasBegun) return { ...held, kind: 'sent', ...begins };
    return attempts > 1
      ? { ...held, kind: 'taken_over', attempt: attempts }
      : { ...held, kind: 'moved' };
  };
  return { leg: legOf(), told: () => isTold };
}

/** Stores how a handed leg ended, for the node that waits for it. */
export function tellEnd(queue: PlatformDeps['queue'], runId: string, end: LegEnd): void {
  // The answer is read from the store again: it can be large.
  queue.tellEnd(runId, JSON.stringify(end.kind === 'settled' ? { ...end, result: null } : end));
}

/** Looks for the end of one handed leg; undefined while there is none. */
function lookForEnd(deps: () => Deps, runId: string): () => LegEnd | undefined {
  let endedSince: number | undefined;
  return () => {
    const entry = deps().queue.find(runId);
    if (entry === undefined) return { kind: 'lost' };
    if (entry.leg_end !== null) return JSON.parse(entry.leg_end);
    if (entry.status === 'queued' || entry.status === 'running') {
      endedSince = undefined;
      return undefined;
    }
    endedSince ??= performance.now();
    return performance.now() - endedSince > SETTLED_MS ? { kind: 'lost' } : undefined;
  };
}

/** Hands every leg to the workers of other nodes, and waits for their ends. */
export function createHandedLegs(deps: () => Deps): ExecutionThread {
  const stop = new AbortController();
  const news = async (watch: RunWatch | undefined): Promise<void> => {
    const isTold = await watch?.next(LOOK_MS, stop.signal);
    // A watch that is closed waits no longer.
    if (isTold !== true) await sleep(watch === undefined ? LOOK_MS : CLOSED_MS);
  };
  const waitForEnd = async (runId: string): Promise<LegEnd> => {
    const look = lookForEnd(deps, runId);
    const watch = deps().runChanges.watch(runId);
    try {
      while (!stop.signal.aborted) {
        const end = look();
        if (end !== undefined) return end;
        await news(watch);
      }
    } finally {
      watch?.end();
    }
    const message = 'The service stops. The run goes on: read it from another node.';
    throw refuse('not_ready', { message, details: { run_id: runId } });
  };
  return {
    takesAll: true,
    async execute(leg) {
      await deps().commits.turn(() => deps().queue.hand(leg.run_id, PLACE, JSON.stringify(leg)));
      deps().wakeWorkers();
      return waitForEnd(leg.run_id);
    },
    // Whoever ended the run has said so.
    abandon: () => undefined,
    wake: () => undefined,
    async drain(timeoutSeconds) {
      setTimeout(() => stop.abort(), timeoutSeconds * 1000).unref();
    },
  };
}
