import * as reads from '../../contract/platform/run-reads.ts';
import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import * as runs from '../../contract/platform/runs.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type {
  CheckpointDiff,
  CheckpointPage,
  PlatformTestRun,
  RunGraph,
  StopResult,
  StudioTestRun,
  TraceWindow,
} from '../../contract/studio/test-runs.ts';
import { required, requireSameRun } from '../../platform-client/answers.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import type { ProjectRow, TestRunRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { tellOfArtifactRun } from '../audit/tell-dashboard.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { findGeneration } from '../environments/environments-repository.ts';
import { onPlatform } from '../govern/platform-refusal.ts';
import * as answers from '../platform-answers.ts';
import { requireStillMember } from '../session/authorize.ts';
import { toCheckpointDiff, toPlatformTestRun, toRunGraph } from './platform-views.ts';
import { toTestRunView } from './test-run-view.ts';
import { findTestRun, recordCancelRequest } from './test-runs-repository.ts';
import { pageEnd, requireWindow, type Window } from './window-rules.ts';

async function requireTestRun(
  deps: StudioDeps,
  project: ProjectRow,
  id: string,
): Promise<TestRunRow> {
  const row = await findTestRun(deps.db, project.id, id);
  if (row === undefined) throw refuse('test_run_not_found');
  if ((row.status === 'started') !== (row.platform_run_id !== null)) {
    throw refuse('test_run_state_corrupt');
  }
  return row;
}

/** The platform that a run was sent to, as long as its recorded binding is still the same. */
async function clientOf(deps: StudioDeps, row: TestRunRow): Promise<PlatformClient> {
  const { project_id, alias, alias_generation } = row;
  const binding = await findGeneration(deps.db, project_id, alias, alias_generation);
  const same =
    binding !== undefined &&
    binding.profile_name === row.profile_name &&
    binding.platform_environment === row.platform_environment;
  if (!same) throw refuse('test_run_target_unavailable');
  return deps.connections.clientFor(deps.db, binding);
}

interface Started {
  readonly row: TestRunRow;
  readonly runId: string;
  readonly client: PlatformClient;
}

async function requireStarted(deps: StudioDeps, project: ProjectRow, id: string): Promise<Started> {
  const row = await requireTestRun(deps, project, id);
  const runId = row.platform_run_id;
  if (runId === null) {
    throw refuse('test_run_not_on_platform', { details: { test_run_id: row.id } });
  }
  return { row, runId, client: await clientOf(deps, row) };
}

const inputOf = (runId: string) => ({ params: { run_id: runId } });

/** Reads a run from the platform. */
async function readPlatformRun(
  client: PlatformClient,
  runId: string,
  signal?: AbortSignal,
): Promise<PlatformTestRun> {
  return toPlatformTestRun(
    await client.read(runs.getRun, answers.readRun, inputOf(runId), { signal }),
    runId,
  );
}

/** One test run; the platform's part is read live each time. */
export async function readTestRun(
  deps: StudioDeps,
  project: ProjectRow,
  id: string,
  signal: AbortSignal,
): Promise<StudioTestRun> {
  const row = await requireTestRun(deps, project, id);
  const runId = row.platform_run_id;
  if (runId === null) return toTestRunView(row, null);
  const client = await clientOf(deps, row);
  const platform = await onPlatform(deps, () => readPlatformRun(client, runId, signal));
  return toTestRunView(row, platform);
}

const STOP_MESSAGES: Readonly<Record<StopResult['outcome'], string>> = {
  cancelled: 'The run was cancelled.',
  already_finished: 'The run had finished before.',
  requested: 'The platform was asked to stop the run.',
};

function stopOutcome(status: string): StopResult['outcome'] {
  if (status === 'cancelled') return 'cancelled';
  return isTerminalStatus(status) ? 'already_finished' : 'requested';
}

/** Asks the platform to stop a run; may be repeated. */
export async function cancelTestRun(
  deps: StudioDeps,
  member: Member,
  id: string,
): Promise<StopResult> {
  const { project, principal } = member;
  const { row, runId, client } = await requireStarted(deps, project, id);
  await inTransaction(deps.db, async (trx) => {
    await requireStillMember(trx, project.id, principal.id, 'editor');
    await recordCancelRequest(trx, row.id, deps.timestamp());
    await recordAudit(deps, trx, {
      action: 'cancel_test_run',
      principal_id: principal.id,
      project_id: project.id,
      outcome: 'allowed',
      run_id: runId,
      detail: { test_run_id: row.id },
    });
  });
  const act = { action: 'run.cancel', row, client, run_id: runId } as const;
  const status = await onPlatform(deps, async () => {
    const once = { attempts: 1 };
    const input = inputOf(runId);
    const answer = await client.read(runs.cancelRun, answers.readCancelled, input, once);
    requireSameRun(answer, runId);
    return required(answer.status, 'status');
  }).catch(async (error: unknown) => {
    await tellOfArtifactRun(deps, principal, { ...act, outcome: 'error' });
    throw error;
  });
  await tellOfArtifactRun(deps, principal, { ...act, outcome: 'ok' });
  const outcome = stopOutcome(status);
  return { outcome, status, message: STOP_MESSAGES[outcome] };
}

/** Topology of a run with its path. */
export async function readRunGraph(
  deps: StudioDeps,
  project: ProjectRow,
  id: string,
  signal: AbortSignal,
): Promise<RunGraph> {
  const { runId, client } = await requireStarted(deps, project, id);
  const input = inputOf(runId);
  return onPlatform(deps, async () =>
    toRunGraph(
      await client.read(reads.getRunGraph, answers.readGraphOfRun, input, { signal }),
      runId,
    ),
  );
}

/** A window of the trace, with the run's status read before it. */
export async function readTrace(
  deps: StudioDeps,
  project: ProjectRow,
  id: string,
  query: Window & { event_type?: string | undefined },
  signal: AbortSignal,
): Promise<TraceWindow> {
  requireWindow(query, 'invalid_trace_window');
  const { runId, client } = await requireStarted(deps, project, id);
  const { offset, limit, event_type } = query;
  return onPlatform(deps, async () => {
    const run = await readPlatformRun(client, runId, signal);
    const input = { ...inputOf(runId), query: { offset, limit, event_type } };
    const answer = await client.read(reads.getTrace, answers.readTracePage, input, { signal });
    const events = [...(answer.events ?? [])];
    const total = answer.total ?? null;
    return {
      events,
      offset,
      limit,
      returned: events.length,
      total,
      window: answer['window'] ?? null,
      complete: answer.complete ?? null,
      dropped: answer.dropped ?? null,
      ...pageEnd(query, events.length, total),
      run_status: run.status,
      run_terminal: isTerminalStatus(run.status),
    };
  });
}

/** Checkpoints in order; an entry without a sequence is not believed. */
export async function readCheckpoints(
  deps: StudioDeps,
  project: ProjectRow,
  id: string,
  query: Window & { type?: string | undefined },
  signal: AbortSignal,
): Promise<CheckpointPage> {
  requireWindow(query, 'invalid_checkpoint_window');
  const { runId, client } = await requireStarted(deps, project, id);
  const { offset, limit, type } = query;
  return onPlatform(deps, async () => {
    const order = { sort_by: 'sequence', sort_order: 'asc' };
    const input = { ...inputOf(runId), query: { offset, limit, type, ...order } };
    const { listCheckpoints } = reads;
    const answer = await client.read(listCheckpoints, answers.readCheckpointPage, input, {
      signal,
    });
    const checkpoints = [...(answer.checkpoints ?? [])].sort(
      (a, b) => required(a.sequence, 'sequence') - required(b.sequence, 'sequence'),
    );
    const total = answer.total ?? null;
    const returned = checkpoints.length;
    return { checkpoints, limit, offset, returned, total, ...pageEnd(query, returned, total) };
  });
}

/** What changed between two checkpoints. */
export async function readCheckpointDiff(
  deps: StudioDeps,
  project: ProjectRow,
  id: string,
  query: { from_sequence: number; to_sequence: number },
  signal: AbortSignal,
): Promise<CheckpointDiff> {
  const { runId, client } = await requireStarted(deps, project, id);
  return onPlatform(deps, async () =>
    toCheckpointDiff(
      await client.read(
        reads.diffCheckpoints,
        answers.readDiff,
        { ...inputOf(runId), query },
        { signal },
      ),
      runId,
    ),
  );
}
