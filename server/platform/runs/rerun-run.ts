import type { RerunBody } from '../../contract/platform/rerun.ts';
import type { RunResult } from '../../contract/platform/runs.ts';
import type { RerunEdits } from '../../engine/rerun.ts';
import type { Answer } from '../../http/answer.ts';
import type { CheckpointsTable } from '../../store/platform-tables.ts';
import { refuseOverBudget } from '../budgets/hold-to-budgets.ts';
import type { PlatformDeps } from '../deps.ts';
import type { LegTail } from '../legs/leg-tail.ts';
import type { Principal } from '../principal.ts';
import { queuePlace } from '../queue/queue-place.ts';
import { isMaskedPoint } from '../stored-states/masked-origin.ts';
import { originCode } from './origin-code.ts';
import { originOf, originSetup } from './rerun-origin.ts';
import { newRow, startRun } from './start-run.ts';

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
  const { row, checkpoint, point, origin } = await originOf(
    deps,
    input.runId,
    body.checkpoint_sequence,
  );
  const owner = { workflow: row.workflow_name, caller: input.principal.name };
  const place = queuePlace(deps.config.queue, body.metadata, owner);
  refuseOverBudget(deps, owner);
  const at = deps.clock.now();
  const edits = givenEdits(body.edits);
  const own = {
    timeout_seconds: body.timeout,
    caller_metadata: body.metadata,
    ...(isMaskedPoint(row, point) ? { masked_origin: true } : {}),
  };
  const code = await originCode(deps, row);
  const made = await deps.specReader.rerun(
    { ...origin, tree: code.tree },
    {
      setup: {
        ...originSetup(row, deps.ids.uuid(), body.timeout, at),
        ...deps.telemetry?.callerTrace(),
      },
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
    caller: input.principal.name,
    code_bundle: await code.pack(made.functions),
    metadata: made.metadata,
    at,
  });
  const tail = tailOf(input, fresh.id, checkpoint, edits);
  return startRun(deps, { row: fresh, first: made.outcome, tail, place, at, shown: made.shown });
}
