import type { RecoverBody, recoverRoutes } from '../../contract/platform/recover.ts';
import type { RunResult } from '../../contract/platform/runs.ts';
import type { SuccessBody } from '../../contract/route.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { executeLeg } from '../legs/execute-leg.ts';
import type { LegTail } from '../legs/leg-tail.ts';
import { answerWithTail } from '../legs/run-outcome.ts';
import type { Principal } from '../principal.ts';
import { refuse } from '../refuse.ts';
import { getRunRow } from '../run-record/get-run.ts';
import type { MadeRecovery } from '../specs/recover-work.ts';
import { isMaskedState } from '../stored-states/masked-origin.ts';
import { takeLock } from '../take-lock.ts';

export interface RecoverInput {
  readonly runId: string;
  readonly body: RecoverBody;
  readonly principal: Principal;
}

type RecoveryCheck = SuccessBody<ReturnType<typeof recoverRoutes>['checkRecovery']>;

async function madeOf(deps: PlatformDeps, row: RunsTable, input: RecoverInput) {
  const state = deps.runStates.find(row.id);
  const made = await deps.specReader.recover(
    { createdMetadata: row.created_metadata, strict: row.strict === 1, status: row.status, state },
    input.body.spec,
    { actor: input.principal.name, at: toTimestamp(deps.clock.now()) },
  );
  return { made, masked: state !== undefined && isMaskedState(row, state) };
}

/**
 * POST /runs/{id}/recover/check: what would become of a failed run's steps under another spec.
 * @throws Refusal not_found, spec_invalid, invalid_request, environment_policy_blocked.
 */
export async function checkRecovery(
  deps: PlatformDeps,
  input: RecoverInput,
): Promise<RecoveryCheck> {
  const row = getRunRow(deps, input.runId);
  const { made, masked } = await madeOf(deps, row, input);
  return { run_id: row.id, status: row.status, masked, fit: made.fit };
}

function tailOf(input: RecoverInput, made: MadeRecovery): LegTail {
  const { kept, repeats, added, skipped } = made.fit;
  return {
    audit: [
      {
        event_type: 'run.recovered',
        actor: input.principal.name,
        run_id: input.runId,
        continuation_id: null,
        metadata: {
          from_sha256: made.from,
          to_sha256: made.to,
          repeats,
          kept: kept.length,
          added: [...added],
          skipped: [...skipped],
        },
        adds: 'status',
      },
    ],
    record: input.principal.pendingRecord,
    body: 'run',
  };
}

function conflict(row: Pick<RunsTable, 'id' | 'status'>, message: string) {
  return refuse('run_state_conflict', {
    message,
    details: { run_id: row.id, status: row.status },
  });
}

async function recover(deps: PlatformDeps, input: RecoverInput): Promise<RunResult> {
  const read = getRunRow(deps, input.runId);
  const { made } = await madeOf(deps, read, input);
  if (!made.fit.fits) {
    throw conflict(read, made.fit.misfits.map(({ message }) => message).join(' '));
  }
  const token = deps.newToken();
  const taken = await deps.commits.turn(() => {
    const row = deps.runs.find(input.runId);
    // What was checked is what goes on: a run that changed since is checked again by its caller.
    if (row === undefined || row.updated_at !== read.updated_at) return undefined;
    const state = deps.runStates.find(input.runId);
    if (state === undefined || !deps.runs.take(row.id, 'failed', token)) return undefined;
    deps.runs.respecify(row.id, token, made.metadata, made.shown);
    return { row: { ...row, created_metadata: made.metadata }, state };
  });
  if (taken === undefined) {
    throw conflict(
      getRunRow(deps, input.runId),
      `Run ${input.runId} is executing or has changed since it was checked. Look at it again.`,
    );
  }
  const { row, state } = taken;
  const tail = tailOf(input, made);
  const end = await executeLeg(deps, {
    kind: 'resumed',
    row,
    state,
    token,
    event: { type: 'continued', at: deps.clock.now(), masked: isMaskedState(row, state) },
    tail,
  });
  return await answerWithTail(deps, row.id, end, tail);
}

/**
 * POST /runs/{id}/recover: a failed run goes on from where it failed under another spec, which takes
 * the place of the one that it was created with; its metadata name both.
 * @throws Refusal not_found, resource_locked, spec_invalid, environment_policy_blocked,
 * run_state_conflict with the reasons why its state does not fit; then as for continue.
 */
export async function recoverRun(deps: PlatformDeps, input: RecoverInput): Promise<RunResult> {
  getRunRow(deps, input.runId);
  const resource = `run:${input.runId}`;
  const release = await takeLock(deps, resource);
  if (release === undefined) throw refuse('resource_locked', { details: { resource } });
  try {
    return await recover(deps, input);
  } finally {
    await release();
  }
}
