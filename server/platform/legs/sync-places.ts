import type { SyncLimits } from '../execution-limits.ts';
import { refuse } from '../refuse.ts';

/** A run that a request waits for and that is about to take time. */
export interface SyncRun {
  readonly id: string;
  /** Name of the key that asked. */
  readonly caller: string | null;
  /** It calls the project's own code next, of which few calls execute at once. */
  readonly callsCode: boolean;
}

/**
 * How many synchronous runs that take time this service executes at once. The promise: a caller
 * beyond them waits for its turn only so long and is then told to come back, before anything of the
 * run is stored or done.
 */
export interface SyncPlaces {
  /** Waits for a place. @throws Refusal too_many_sync_runs at once, sync_runs_full after the wait. */
  enter(run: SyncRun): Promise<void>;
  /** Gives the place of a run back, if it has one. */
  leave(runId: string): void;
  counts(): { executing: number; waiting: number };
}

interface Waiting {
  readonly run: SyncRun;
  readonly enter: () => void;
}

export function createSyncPlaces(limits: SyncLimits, refused: () => void): SyncPlaces {
  const inside = new Map<string, SyncRun>();
  const line = new Set<Waiting>();

  const isBelow = (limit: number, counts: (run: SyncRun) => boolean): boolean => {
    if (limit <= 0) return true;
    let count = 0;
    for (const run of inside.values()) if (counts(run)) count += 1;
    return count < limit;
  };
  const fits = ({ callsCode }: SyncRun): boolean =>
    isBelow(limits.runs, () => true) &&
    (!callsCode || isBelow(limits.codeRuns, (run) => run.callsCode));
  const admitNext = (): void => {
    for (const waiting of [...line]) if (fits(waiting.run)) waiting.enter();
  };
  const refuseBusyCaller = ({ caller }: SyncRun): void => {
    const limit = limits.runsPerCaller;
    if (limit <= 0) return;
    const asked = [...inside.values(), ...[...line].map(({ run }) => run)];
    const own = asked.filter((run) => run.caller === caller).length;
    if (own < limit) return;
    refused();
    throw refuse('too_many_sync_runs', { details: { limit } });
  };

  return {
    async enter(run) {
      refuseBusyCaller(run);
      const isFirst = ![...line].some(({ run: other }) => other.callsCode === run.callsCode);
      if (isFirst && fits(run)) {
        inside.set(run.id, run);
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiting: Waiting = {
        run,
        enter() {
          clearTimeout(timer);
          line.delete(waiting);
          inside.set(run.id, run);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        line.delete(waiting);
        refused();
        reject(refuse('sync_runs_full', { details: { executing: inside.size } }));
      }, limits.waitSeconds * 1000);
      line.add(waiting);
      return promise;
    },
    leave(runId) {
      if (inside.delete(runId)) admitNext();
    },
    counts: () => ({ executing: inside.size, waiting: line.size }),
  };
}
