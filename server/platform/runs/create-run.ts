import type { RunCreate, RunResult } from '../../contract/platform/runs.ts';
import { createRun as newRun } from '../../engine/create-run.ts';
import type { RunSetup } from '../../engine/state.ts';
import type { Answer } from '../../http/answer.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { refuseOverBudget } from '../budgets/hold-to-budgets.ts';
import type { PlatformDeps } from '../deps.ts';
import type { LegTail } from '../legs/leg-tail.ts';
import type { Principal } from '../principal.ts';
import { queuePlace } from '../queue/queue-place.ts';
import { projectOf } from '../specs/frozen-spec.ts';
import { newRow, startRun } from './start-run.ts';

export interface CreateRunInput {
  readonly body: RunCreate;
  readonly principal: Principal;
  /** POST /specs/run writes its own event instead of run.created. */
  readonly audit: 'run.created' | 'spec.run';
}

/** What a create leaves beside the run: the record of its key, then its audit events. */
function tailOf(input: CreateRunInput, runId: string, specPath: string | null): LegTail {
  const { body, principal } = input;
  const skills = body.skills;
  const overlay = skills === null ? null : { add: skills.add, disable: skills.disable };
  const overlaid = overlay !== null && overlay.add.length + overlay.disable.length > 0;
  const of = { actor: principal.name, run_id: runId, continuation_id: null };
  const common: JsonObject = {
    target: body.target,
    spec_path: specPath,
    inline_spec: body.spec !== null,
    environment: body.environment,
  };
  const created: LegTail['audit'][number] =
    input.audit === 'spec.run'
      ? {
          ...of,
          event_type: 'spec.run',
          metadata: { ...common, ...(body.async_mode ? { async_mode: true } : {}) },
          adds: 'status',
        }
      : {
          ...of,
          event_type: 'run.created',
          metadata: {
            async_mode: body.async_mode,
            ...common,
            session_id: body.session_id,
            metadata: body.metadata,
            ...(overlaid ? { skills_overlay: overlay } : {}),
          },
          adds: 'usage',
        };
  const skillsEvent = {
    ...of,
    event_type: 'run.skills_overlay' as const,
    metadata: { ...overlay },
  };
  return {
    audit: overlaid ? [created, { ...skillsEvent, adds: null }] : [created],
    record: principal.pendingRecord,
    body: 'run',
  };
}

/**
 * POST /runs and POST /specs/run: reads and freezes the spec, checks the environment's policy and
 * the queue, then stores and queues the run (202), or executes it (200): a run that is over within a
 * moment is stored once, a longer one as soon as it waits for something or yields.
 * @throws Refusal in the order of contract/platform.md 2.1 step 10.
 */
export async function createRun(
  deps: PlatformDeps,
  input: CreateRunInput,
): Promise<Answer<RunResult>> {
  const { body } = input;
  const frozen = await deps.specReader.freeze(body);
  const owner = { workflow: frozen.workflow, caller: input.principal.name };
  const place = queuePlace(deps.config.queue, body.metadata, owner);
  refuseOverBudget(deps, owner);
  const code = await deps.runCode.pack(projectOf(body.metadata), frozen.functions);
  const at = deps.clock.now();
  const setup: RunSetup = {
    run_id: deps.ids.uuid(),
    target: body.target,
    input_text: body.input,
    environment: body.environment,
    timeout_seconds: body.timeout,
    deadline_at: body.timeout === null ? null : at / 1000 + body.timeout,
    ...deps.telemetry?.callerTrace(),
  };
  const row = newRow(setup, {
    async_mode: body.async_mode,
    session_id: body.session_id,
    strict: body.strict,
    parent_run_id: null,
    caller: input.principal.name,
    code_bundle: code,
    metadata: frozen.metadata,
    at,
  });
  const first = newRun(setup, body.async_mode ? 'queued' : 'running', at);
  return startRun(deps, {
    row,
    first,
    at,
    tail: tailOf(input, row.id, frozen.specPath),
    place,
    shown: frozen.shown,
  });
}
