import { listRuns } from '../../contract/platform/runs.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { timerMs } from '../../kernel/timer-limit.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { required } from '../../platform-client/answers.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import type { TestRunRow } from '../../store/studio-tables.ts';
import { tellOfArtifactRun } from '../audit/tell-dashboard.ts';
import type { StudioDeps } from '../deps.ts';
import { findGeneration } from '../environments/environments-repository.ts';
import { readSessionRuns } from '../platform-answers.ts';
import { findPrincipal } from '../session/principals-repository.ts';
import { requirePlatformVersion } from './platform-version.ts';
import { changePending, listRecoverable } from './test-runs-repository.ts';

const UNTOUCHED_MS = 15 * 60 * 1000;
const MAX_ATTEMPTS = 3;

/** The one platform run of our session; undefined when the platform proves nothing. */
async function correlate(
  client: PlatformClient,
  row: TestRunRow,
  signal: AbortSignal,
): Promise<string | undefined> {
  const query = { session_id: row.platform_session_id, limit: 2 };
  const answer = await client.read(listRuns, readSessionRuns, { query }, { signal });
  const runs = answer.runs ?? [];
  const [run] = runs;
  if (required(answer.total, 'total') !== 1 || runs.length !== 1 || run === undefined) {
    return undefined;
  }
  const ours = required(run.session_id, 'session_id') === row.platform_session_id;
  return ours ? required(run.run_id, 'run_id') : undefined;
}

async function findStarted(
  deps: StudioDeps,
  row: TestRunRow,
  signal: AbortSignal,
): Promise<{ readonly runId: string; readonly client: PlatformClient } | undefined> {
  const { project_id, alias, alias_generation } = row;
  const binding = await findGeneration(deps.db, project_id, alias, alias_generation);
  if (binding === undefined || binding.profile_name !== row.profile_name) return undefined;
  try {
    const client = await deps.connections.clientFor(deps.db, binding);
    await requirePlatformVersion(client, { alias, test_run_id: row.id }, signal);
    const runId = await correlate(client, row, signal);
    return runId === undefined ? undefined : { runId, client };
  } catch (error) {
    if (error instanceof PlatformError || error instanceof Refusal) return undefined;
    throw error;
  }
}

/** A run that started after all is written down like any other. */
async function tellOfStart(
  deps: StudioDeps,
  row: TestRunRow,
  { runId, client }: { readonly runId: string; readonly client: PlatformClient },
): Promise<void> {
  const principal = await findPrincipal(deps.db, row.created_by);
  if (principal === undefined) return;
  const act = { action: 'launch.run', outcome: 'ok', run_id: runId, row, client } as const;
  await tellOfArtifactRun(deps, principal, act);
}

async function recover(deps: StudioDeps, row: TestRunRow, signal: AbortSignal): Promise<void> {
  const now = deps.timestamp();
  if (row.recovery_attempts >= MAX_ATTEMPTS) {
    await changePending(deps.db, row.id, { status: 'abandoned', phase: 'done' }, now);
    return;
  }
  const lease = toTimestamp(deps.clock.now() + deps.config.recoveryLeaseSeconds * 1000);
  const recovery_attempts = row.recovery_attempts + 1;
  await changePending(deps.db, row.id, { lease_until: lease, recovery_attempts }, now);
  const found = await findStarted(deps, row, signal);
  const change =
    found === undefined
      ? ({ status: 'unknown', phase: 'done' } as const)
      : ({ status: 'started', phase: 'done', platform_run_id: found.runId } as const);
  const isMine = await changePending(deps.db, row.id, change, deps.timestamp());
  if (isMine && found !== undefined) await tellOfStart(deps, row, found);
  deps.log.info({ test_run_id: row.id, status: change.status }, 'a pending test run was settled');
}

/** Settles runs whose start was interrupted (studio.md 12): pending, untouched for 15 minutes, lease free. */
async function recoverTestRuns(deps: StudioDeps, signal: AbortSignal): Promise<void> {
  const before = toTimestamp(deps.clock.now() - UNTOUCHED_MS);
  for (const row of await listRecoverable(deps.db, before, deps.timestamp())) {
    if (signal.aborted) return;
    await recover(deps, row, signal);
  }
}

/** Repeats the recovery every interval; `stop` waits for the pass under way. */
export function startRecovery(deps: StudioDeps): { stop(): Promise<void> } {
  const stopped = new AbortController();
  let pass: Promise<void> | undefined;
  const run = (): void => {
    pass ??= recoverTestRuns(deps, stopped.signal)
      .catch((error: unknown) => {
        if (!stopped.signal.aborted)
          deps.log.error({ err: error }, 'the recovery of test runs failed');
      })
      .finally(() => {
        pass = undefined;
      });
  };
  run();
  const timer = setInterval(run, timerMs(deps.config.recoveryIntervalSeconds));
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopped.abort();
      await pass;
    },
  };
}
