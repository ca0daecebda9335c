import type { RunCreate } from '../../contract/platform/runs.ts';
import { createRun as newRun } from '../../engine/create-run.ts';
import type { RunSetup } from '../../engine/state.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { loadSpec } from '../../spec/load-spec.ts';
import { validateSpec } from '../../spec/validate.ts';
import type { PlatformDeps } from '../deps.ts';
import { pendingRecordOf } from '../idempotency/pending-record.ts';
import { enforcePolicy } from '../policies/enforce-policy.ts';
import type { Principal } from '../principal.ts';
import { freezeSkills } from '../specs/freeze-skills.ts';
import { notTextOf } from '../specs/frozen-spec.ts';
import { type PreparedSpec, prepareSpec, specInvalid } from '../specs/prepare-spec.ts';
import type { LegTail } from '../worker/leg-tail.ts';
import { type CreatedRun, newRow, startRun } from './start-run.ts';

export interface CreateRunInput {
  readonly body: RunCreate;
  readonly principal: Principal;
  /** POST /specs/run writes its own event instead of run.created. */
  readonly audit: 'run.created' | 'spec.run';
}

/** With `strict` false: the semantic errors that the run goes on in spite of (contract/platform.md 3.1). */
function toleratedErrors(body: RunCreate, { documents }: PreparedSpec): JsonObject {
  if (body.strict) return {};
  const { base, overlays } = documents;
  const { overrides, environment, skills } = body;
  const { spec } = loadSpec({ base, overlays, overrides, environment, skills });
  const found = spec === undefined ? [] : validateSpec(spec);
  const errors = found.filter(({ severity }) => severity === 'error');
  return { diagnostics: errors.map((error) => ({ ...error })) };
}

function createdMetadata(body: RunCreate, prepared: PreparedSpec, skills: JsonObject): JsonObject {
  const overlay = body.skills;
  return {
    spec_path: prepared.documents.specPath,
    spec: body.spec,
    target: body.target,
    environment: body.environment,
    overlays: [...body.overlays],
    overrides: body.overrides,
    skills_overlay: overlay === null ? null : { add: overlay.add, disable: overlay.disable },
    timeout_seconds: body.timeout,
    frozen_spec: {
      base: prepared.documents.base,
      overlays: [...prepared.documents.overlays],
      ...notTextOf(prepared.documents),
      ...(Object.keys(skills).length === 0 ? {} : { skills: { ...skills } }),
    },
    caller_metadata: body.metadata,
    ...toleratedErrors(body, prepared),
  };
}

/** What a create leaves beside the run: the record of its key, then its audit events. */
function tailOf(input: CreateRunInput, runId: string, prepared: PreparedSpec): LegTail {
  const { body, principal } = input;
  const skills = body.skills;
  const overlay = skills === null ? null : { add: skills.add, disable: skills.disable };
  const overlaid = overlay !== null && overlay.add.length + overlay.disable.length > 0;
  const of = { actor: principal.name, run_id: runId, continuation_id: null };
  const common: JsonObject = {
    target: body.target,
    spec_path: prepared.documents.specPath,
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
  const skillsEvent = { ...of, event_type: 'run.skills_overlay', metadata: { ...overlay } };
  return {
    audit: overlaid ? [created, { ...skillsEvent, adds: null }] : [created],
    record: pendingRecordOf(principal),
    body: 'run',
  };
}

/**
 * POST /runs and POST /specs/run: reads and freezes the spec, checks the environment's policy and
 * the queue, then stores and queues the run (202), or executes it (200): a run that is over within a
 * moment is stored once, a longer one as soon as it waits for something or yields.
 * @throws Refusal in the order of contract/platform.md 2.1 step 10.
 */
export async function createRun(deps: PlatformDeps, input: CreateRunInput): Promise<CreatedRun> {
  const { body } = input;
  const preparation = await prepareSpec(deps.specRoot, body);
  if (!preparation.ok) throw specInvalid(preparation.diagnostics);
  const { prepared } = preparation;
  const skills = await freezeSkills(deps.specRoot, prepared);
  enforcePolicy(deps, prepared);

  const at = deps.clock.now();
  const setup: RunSetup = {
    run_id: deps.ids.uuid(),
    target: body.target,
    input_text: body.input,
    environment: body.environment,
    timeout_seconds: body.timeout,
    deadline_at: body.timeout === null ? null : at / 1000 + body.timeout,
  };
  const row = newRow(setup, {
    async_mode: body.async_mode,
    session_id: body.session_id,
    strict: body.strict,
    parent_run_id: null,
    metadata: createdMetadata(body, prepared, skills),
    at,
  });
  const first = newRun(setup, body.async_mode ? 'queued' : 'running', at);
  return startRun(deps, { row, first, at, tail: tailOf(input, row.id, prepared) });
}
