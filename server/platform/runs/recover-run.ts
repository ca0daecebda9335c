import type { RecoverBody, recoverRoutes } from '../../contract/platform/recover.ts';
import type { RunResult } from '../../contract/platform/runs.ts';
import type { SuccessBody } from '../../contract/route.ts';
import type { StepOutcome } from '../../engine/step-outcome.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { executeLeg } from '../legs/execute-leg.ts';
import type { LegTail } from '../legs/leg-tail.ts';
import { answerWithTail } from '../legs/run-outcome.ts';
import type { Principal } from '../principal.ts';
import { refuse } from '../refuse.ts';
import { getRunRow } from '../run-record/get-run.ts';
import type { MadeRecovery } from '../specs/recover-work.ts';
import { isMaskedPoint, isMaskedState } from '../stored-states/masked-origin.ts';
import { createRunWriter } from '../stored-states/run-writer.ts';
import { takeLock } from '../take-lock.ts';
import { originCode } from './origin-code.ts';

export interface RecoverInput {
  readonly runId: string;
  readonly body: RecoverBody;
  readonly principal: Principal;
}

type RecoveryCheck = SuccessBody<ReturnType<typeof recoverRoutes>['checkRecovery']>;

async function madeOf(deps: PlatformDeps, input: RecoverInput) {
  const read = deps.runStates.find(input.runId);
  const point =
    read === undefined ? undefined : await deps.resumePoints.find(input.runId, read.point_count);
  // A run that went on while its points were read is looked at as it is now.
  const row = getRunRow(deps, input.runId);
  const state = deps.runStates.find(input.runId);
  const { renamed = {}, timeout = null } = input.body;
  const code = await originCode(deps, row);
  const made = await deps.specReader.recover(
    {
      createdMetadata: row.created_metadata,
      strict: row.strict === 1,
      tree: code.tree,
      status: row.status,
      target: row.target === 'agent' ? 'agent' : 'workflow',
      state,
      point: point?.number === state?.point_count ? point : undefined,
    },
    input.body.spec,
    { actor: input.principal.name, at: deps.clock.now(), renamed, timeout },
  );
  const masked =
    state !== undefined &&
    (isMaskedState(row, state) || (point !== undefined && isMaskedPoint(row, point)));
  return { row, made, masked, code };
}

/**
 * POST /runs/{id}/recover/check: what would become of a stopped run's steps under another spec.
 * @throws Refusal not_found, spec_invalid, invalid_request, environment_policy_blocked.
 */
export async function checkRecovery(
  deps: PlatformDeps,
  input: RecoverInput,
): Promise<RecoveryCheck> {
  getRunRow(deps, input.runId);
  const { row, made, masked } = await madeOf(deps, input);
  return {
    run_id: row.id,
    status: row.status,
    masked,
    timeout_seconds: made.timeoutSeconds,
    fit: made.fit,
  };
}

function tailOf(input: RecoverInput, made: MadeRecovery): LegTail {
  const { kept, repeats, added, skipped, renamed } = made.fit;
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
          renamed: { ...renamed },
          timeout_seconds: made.timeoutSeconds,
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

/**
 * Takes the run and stores, in one transaction, the new spec and the state that goes on under it: a
 * kill leaves either the run as it was, or one that goes on under the new spec.
 */
async function takeOver(
  deps: PlatformDeps,
  read: RunsTable,
  { metadata, shown }: MadeRecovery,
  outcome: StepOutcome,
  code_bundle: string | null,
) {
  const token = deps.newToken();
  const { state } = outcome;
  const { deadline_at } = state.setup;
  const taken = await deps.commits.turn(() => {
    const row = deps.runs.find(read.id);
    // What was checked is what goes on: a run that changed since is checked again by its caller.
    if (row === undefined || row.updated_at !== read.updated_at) return false;
    const writer = createRunWriter(deps, row, { fresh: false });
    writer.add(outcome);
    return writer.commit({ from: read.status, token: null }, token, () =>
      deps.runs.respecify(row.id, token, { metadata, shown, deadline_at, code_bundle }),
    );
  });
  if (!taken) return undefined;
  return { row: getRunRow(deps, read.id), state, token };
}

/** Checks and takes the run, while nobody else may. */
async function taken(deps: PlatformDeps, input: RecoverInput) {
  const { row, made, masked, code } = await madeOf(deps, input);
  if (made.outcome === null) {
    throw conflict(row, made.fit.misfits.map(({ message }) => message).join(' '));
  }
  const held = await takeOver(deps, row, made, made.outcome, await code.pack(made.functions));
  if (held !== undefined) return { held, made, masked };
  throw conflict(
    getRunRow(deps, input.runId),
    `Run ${input.runId} is executing or has changed since it was checked. Look at it again.`,
  );
}

/**
 * POST /runs/{id}/recover: a run that failed or timed out goes on from where it stopped under another
 * spec, which takes the place of the one that it was created with; its metadata name both.
 * @throws Refusal not_found, resource_locked, spec_invalid, environment_policy_blocked,
 * run_state_conflict with the reasons why its state does not fit; then as for continue.
 */
export async function recoverRun(deps: PlatformDeps, input: RecoverInput): Promise<RunResult> {
  getRunRow(deps, input.runId);
  const resource = `run:${input.runId}`;
  const release = await takeLock(deps, resource);
  if (release === undefined) throw refuse('resource_locked', { details: { resource } });
  // Once it is taken its token keeps others away, and a deadline must be able to end it.
  const { held, made, masked } = await taken(deps, input).finally(release);
  const tail = tailOf(input, made);
  const event = { type: 'recovered', at: deps.clock.now(), masked } as const;
  const end = await executeLeg(deps, { kind: 'resumed', ...held, event, tail });
  return await answerWithTail(deps, input.runId, end, tail);
}
