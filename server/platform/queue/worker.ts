import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import type { RunState } from '../../engine/state.ts';
import type { RunQueueTable, RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { executeLeg } from '../legs/execute-leg.ts';
import type { AskedWithClaim, Leg } from '../legs/leg.ts';
import type { LegEnd } from '../legs/running-leg.ts';
import { statusOf } from '../run-record/run-view.ts';
import { createJumpWatch } from './clock-jumps.ts';
import { deadLetter } from './dead-letter.ts';
import { handedLeg, tellEnd } from './handed-legs.ts';

/** Workers of this process. */
export interface WorkerPool {
  readonly count: number;
  /** Looks for work now instead of at the next poll. */
  wake(): void;
  /** Stops claiming and waits for running work, at most so many seconds. */
  drain(timeoutSeconds: number): Promise<void>;
}

const MIN_HEARTBEAT_MS = 50;
const LOOP_SHARE_MS = 10;
/** Between two runs while callers write: a run takes about a millisecond. */
const GIVEN_WAY_MS = 8;

type PoolDeps = Omit<PlatformDeps, 'wakeWorkers'>;

/** Extends the lease at a third of its length; a lost lease or an ended run stops the execution. */
function startHeartbeat(deps: PoolDeps, runId: string, token: string): () => void {
  const leaseSeconds = deps.config.workerLeaseSeconds;
  const beat = (): void => {
    const held = deps.queue.extend(runId, token, leaseSeconds);
    if (!held) deps.executions.get(runId)?.abandon();
  };
  const period = Math.max(MIN_HEARTBEAT_MS, (leaseSeconds * 1000) / 3);
  const timer = setInterval(() => {
    try {
      beat();
    } catch (error) {
      deps.log.warn({ run_id: runId, err: error }, 'a lease could not be renewed');
    }
  }, period);
  return () => clearInterval(timer);
}

interface Claim {
  readonly entry: RunQueueTable;
  readonly token: string;
  /** What the leg begins with; asked with the claim, of what it leaves. */
  readonly row: () => RunsTable | undefined;
  readonly state: (row: RunsTable) => RunState;
  readonly asked: () => AskedWithClaim;
}

/** Claims one due row and marks its run as held; the caller's transaction keeps the two together. */
function claim(deps: PoolDeps, expired: boolean): Claim | undefined {
  const token = deps.newToken();
  const entry = deps.queue.claim(token, deps.config.workerLeaseSeconds, expired);
  if (entry === undefined) return undefined;
  if (entry.handed === null) deps.runs.seize(entry.run_id, token);
  else deps.runs.seizeHanded(entry.run_id, token);
  const row = deps.runs.findLater(entry.run_id);
  const state = deps.runStates.later(entry.run_id);
  const rows = deps.checkpoints.before(entry.run_id);
  const budgets = deps.budgets.allLater();
  return { entry, token, row, state, asked: () => ({ rows: rows(), budgets: budgets() }) };
}

type HandedEntry = RunQueueTable & { readonly handed: string };

function isHanded(entry: RunQueueTable): entry is HandedEntry {
  return entry.handed !== null;
}

/** Executes a leg for a node that waits for it, and tells that one how it ended. */
async function workOnHanded(
  deps: PlatformDeps,
  { entry, token, state: stateOf }: Claim & { readonly entry: HandedEntry },
  row: RunsTable,
  atEnd: () => void,
): Promise<void> {
  const state = stateOf(row);
  const { leg, told } = handedLeg(deps, entry, { row, state, token }, atEnd);
  const stopHeartbeat = startHeartbeat(deps, row.id, token);
  let end: LegEnd = { kind: 'lost' };
  try {
    if (row.execution_token === token) end = await executeLeg(deps, leg);
  } finally {
    stopHeartbeat();
    if (!told()) {
      deps.queue.close(row.id, token, 'completed');
      tellEnd(deps.queue, row.id, end);
      deps.runChanges.note(row.id);
    }
  }
}

async function workOn(deps: PlatformDeps, claimed: Claim, atEnd: () => void): Promise<void> {
  const { entry, token } = claimed;
  const limit = deps.config.queueMaxAttempts;
  if (limit > 0 && entry.attempts > limit) {
    deadLetter(deps, entry);
    return;
  }
  const row = claimed.row();
  if (row !== undefined && isHanded(entry)) {
    await workOnHanded(deps, { ...claimed, entry }, row, atEnd);
    return;
  }
  if (row === undefined || isTerminalStatus(statusOf(row)) || row.status === 'blocked') {
    if (row !== undefined) deps.runs.release(row.id, token);
    deps.queue.close(entry.run_id, token, 'completed');
    return;
  }
  if (entry.attempts === 1) {
    const waited = deps.clock.now() / 1000 - entry.created_at;
    const of = { kind: row.workflow_kind, outcome: 'took' } as const;
    deps.metrics.observe('queue_wait', of, Math.max(0, waited));
  }
  const state = claimed.state(row);
  const asked = claimed.asked();
  const stopHeartbeat = startHeartbeat(deps, row.id, token);
  const held = { row, state, token, atEnd };
  const leg: Leg =
    state.started_at === null
      ? { ...held, kind: 'claimed', event: { type: 'start', at: deps.clock.now() }, asked }
      : { ...held, kind: 'taken_over', attempt: entry.attempts };
  try {
    await executeLeg(deps, leg);
  } finally {
    stopHeartbeat();
  }
}

/** After the clock jumped others have so long to say that their leases hold. */
const RENEWAL_MS = 5000;
const LOOK_MS = 1000;

/**
 * Leases are counted by the clock of the store. When it jumps, every lease of this thread is
 * extended; those of others are not taken for a while.
 */
function watchLeases(deps: PoolDeps) {
  const jumped = createJumpWatch(deps.clock);
  let restUntil = 0;
  const look = (): void => {
    if (!jumped()) return;
    restUntil = performance.now() + RENEWAL_MS;
    for (const { runId, token } of deps.executions.values()) {
      deps.writeLock.run(() => deps.queue.extend(runId, token, deps.config.workerLeaseSeconds));
    }
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch (error) {
      deps.log.warn({ err: error }, 'leases could not be renewed after the clock was set');
    }
  }, LOOK_MS);
  timer.unref();
  return {
    look,
    mayTakeExpired: (): boolean => performance.now() >= restUntil,
    stop: (): void => clearInterval(timer),
  };
}

/** Starts the workers; each claims one run at a time (contract/platform.md 6.5). */
export function startWorkers(deps: PlatformDeps): WorkerPool {
  const idleMs = deps.config.workerIdlePollSeconds * 1000;
  let stopping = false;
  const sleeping = new Set<() => void>();

  const sleep = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        sleeping.delete(done);
        resolve();
      };
      const timer = setTimeout(done, idleMs);
      sleeping.add(done);
    });
  let turnedAt = performance.now();
  /** Runs that never wait would keep timers, messages and callers out. */
  const letOthers = async (): Promise<void> => {
    if (deps.pressure.isHigh()) return setTimeoutPromise(GIVEN_WAY_MS);
    if (performance.now() - turnedAt < LOOP_SHARE_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    turnedAt = performance.now();
  };
  const leases = watchLeases(deps);
  const claimOne = deps.store.sync.transaction((expired: boolean) => claim(deps, expired));
  const takeOne = (expired: boolean): Claim | undefined =>
    deps.writeLock.run(() => claimOne.immediate(expired));
  /** Looks before it writes: an idle worker asks nobody for the store. */
  const claimNow = (): Claim | undefined => {
    leases.look();
    return deps.queue.hasDue() ? takeOne(leases.mayTakeExpired()) : undefined;
  };
  const loop = async (): Promise<void> => {
    let next: Claim | undefined;
    // The end of one run and the claim of the next share a transaction.
    const claimNext = (): void => {
      if (!stopping) next = claim(deps, leases.mayTakeExpired());
    };
    while (!stopping || next !== undefined) {
      await letOthers();
      try {
        const claimed = next ?? claimNow();
        next = undefined;
        if (claimed === undefined) await sleep();
        else await workOn(deps, claimed, claimNext);
      } catch (error) {
        deps.log.error({ err: error }, 'a worker met an error');
        if (!stopping) await sleep();
      }
    }
  };
  const loops = Array.from({ length: deps.config.workerConcurrency }, () => loop());
  const wake = (): void => {
    for (const done of [...sleeping]) done();
  };
  return {
    count: deps.config.workerConcurrency,
    wake,
    async drain(timeoutSeconds) {
      stopping = true;
      wake();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutSeconds * 1000);
      });
      await Promise.race([Promise.all(loops), limit]);
      leases.stop();
      clearTimeout(timer);
    },
  };
}
