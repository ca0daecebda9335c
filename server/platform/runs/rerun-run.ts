import type { RerunBody } from '../../contract/platform/rerun.ts';
import type { RunResult } from '../../contract/platform/runs.ts';
import type { RerunEdits } from '../../engine/rerun.ts';
import type { RunSetup } from '../../engine/state.ts';
import type { Answer } from '../../http/answer.ts';
import { isJsonObject } from '../../kernel/json.ts';
import type { CheckpointsTable, RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import type { LegTail } from '../legs/leg-tail.ts';
import type { Principal } from '../principal.ts';
import { redactText } from '../redaction.ts';
import { refuse } from '../refuse.ts';
import { getRunRow } from '../run-record/get-run.ts';
import type { RerunOrigin } from '../specs/rerun-work.ts';
import { isMaskedPoint } from '../stored-states/masked-origin.ts';
import { setupOf } from '../stored-states/remnant-state.ts';
import { newRow, startRun } from './start-run.ts';

/** A checkpoint of a run that something can go on from. */
function originOf(deps: PlatformDeps, runId: string, sequence: number) {
  const row = getRunRow(deps, runId);
  const checkpoint = deps.checkpoints.find(runId, sequence);
  if (checkpoint === undefined) {
    throw refuse('invalid_request', { message: `The run has no checkpoint ${sequence}.` });
  }
  if (checkpoint.point === null) {
    const message = 'The checkpoint was written before reruns existed: nothing can go on from it.';
    throw refuse('invalid_request', { message });
  }
  const { created_metadata: createdMetadata, environment } = row;
  const origin: RerunOrigin = { createdMetadata, environment, strict: row.strict === 1 };
  return { row, checkpoint, origin, point: deps.resumePoints.find(runId, checkpoint.point) };
}

function originSetup(row: RunsTable, runId: string, timeout: number | null, at: number): RunSetup {
  const deadline_at = timeout === null ? null : at / 1000 + timeout;
  return { ...setupOf(row, timeout), run_id: runId, deadline_at };
}

/** Names of the edited members only: the texts themselves stay out of the audit. */
function tailOf(
  input: RerunInput,
  runId: string,
  checkpoint: CheckpointsTable,
  edits: RerunEdits,
): LegTail {
  const { body, principal } = input;
  return {
    audit: [
      {
        event_type: 'run.rerun',
        actor: principal.name,
        run_id: runId,
        continuation_id: null,
        metadata: {
          async_mode: body.async_mode,
          origin_run_id: input.runId,
          checkpoint_sequence: checkpoint.sequence,
          edited: Object.keys(edits).sort(),
          session_id: body.session_id,
          metadata: body.metadata,
        },
        adds: 'usage',
      },
    ],
    record: principal.pendingRecord,
    body: 'run',
  };
}

/** Without the members that were not given. */
function givenEdits(edits: RerunBody['edits']): RerunEdits {
  const { input, messages, outputs, next_step, histories } = edits;
  const plain = (list: NonNullable<typeof messages>) =>
    list.map(({ role, content, name }) => ({ role, content, name: name ?? null }));
  return {
    ...(input === undefined ? {} : { input }),
    ...(messages === undefined ? {} : { messages: plain(messages) }),
    ...(outputs === undefined ? {} : { outputs }),
    ...(next_step === undefined ? {} : { next_step }),
    ...(histories === undefined
      ? {}
      : {
          histories: Object.fromEntries(
            Object.entries(histories).map(([name, list]) => [name, plain(list)]),
          ),
        }),
  };
}

export interface RerunInput {
  readonly runId: string;
  readonly body: RerunBody;
  readonly principal: Principal;
}

/**
 * POST /runs/{id}/rerun: a new run that goes on from a checkpoint of another one, by the spec that
 * the other was created with, under today's policy of its environment.
 * @throws Refusal not_found, invalid_request, spec_invalid, environment_policy_blocked,
 * request_invalid for an edit that the place cannot take; then as for a new run.
 */
export async function rerunRun(deps: PlatformDeps, input: RerunInput): Promise<Answer<RunResult>> {
  const { body } = input;
  const { row, checkpoint, point, origin } = originOf(deps, input.runId, body.checkpoint_sequence);
  const at = deps.clock.now();
  const edits = givenEdits(body.edits);
  const own = {
    timeout_seconds: body.timeout,
    caller_metadata: body.metadata,
    ...(isMaskedPoint(row, point) ? { masked_origin: true } : {}),
  };
  const made = await deps.specReader.rerun(
    origin,
    {
      setup: originSetup(row, deps.ids.uuid(), body.timeout, at),
      status: body.async_mode ? 'queued' : 'running',
      at,
      origin: {
        run_id: row.id,
        checkpoint_id: checkpoint.id,
        checkpoint_sequence: checkpoint.sequence,
        checkpoint_type: checkpoint.type,
      },
      point,
      edits,
    },
    own,
  );
  const fresh = newRow(made.outcome.state.setup, {
    async_mode: body.async_mode,
    session_id: body.session_id ?? row.session_id,
    strict: row.strict === 1,
    parent_run_id: row.id,
    metadata: made.metadata,
    at,
  });
  const tail = tailOf(input, fresh.id, checkpoint, edits);
  return startRun(deps, { row: fresh, first: made.outcome, tail, at, shown: made.shown });
}

function shown(messages: RerunEdits['messages']) {
  return messages?.map(({ role, content, name }) => ({
    role,
    content: redactText(content),
    name: name ?? null,
  }));
}

/**
 * GET /runs/{id}/rerun: what a rerun from a checkpoint can edit, as it stands there, redacted.
 * @throws Refusal not_found, invalid_request, spec_invalid.
 */
export async function readRerunState(deps: PlatformDeps, runId: string, sequence: number) {
  const { row, checkpoint, point, origin } = originOf(deps, runId, sequence);
  const setup = originSetup(row, row.id, null, 0);
  const state = await deps.specReader.edits(origin, { point, setup });
  const histories = Object.entries(state.histories ?? {}).map(
    ([name, list]): [string, ReturnType<typeof shown>] => [name, shown(list)],
  );
  const outputs = Object.entries(state.outputs ?? {}).map(([name, text]): [string, string] => [
    name,
    redactText(text),
  ]);
  const edits: unknown = {
    ...(state.input === undefined ? {} : { input: redactText(state.input) }),
    ...(state.messages === undefined ? {} : { messages: shown(state.messages) }),
    ...(state.outputs === undefined ? {} : { outputs: Object.fromEntries(outputs) }),
    histories: Object.fromEntries(histories),
  };
  return {
    run_id: row.id,
    checkpoint_sequence: checkpoint.sequence,
    checkpoint_type: checkpoint.type,
    masked: isMaskedPoint(row, point),
    edits: isJsonObject(edits) ? edits : {},
  };
}
