import type { RunCreate, RunResult } from '../../contract/platform/runs.ts';
import { createRun as newRun } from '../../engine/create-run.ts';
import type { RunSetup } from '../../engine/state.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { pendingRecordOf } from '../idempotency/pending-record.ts';
import { enforcePolicy } from '../policies/enforce-policy.ts';
import type { Principal } from '../principal.ts';
import { refuse } from '../refuse.ts';
import { freezeSkills } from '../specs/freeze-skills.ts';
import { type PreparedSpec, prepareSpec, specInvalid } from '../specs/prepare-spec.ts';
import { executeLeg } from '../worker/execute-run.ts';
import { type LegTail, writeTail } from '../worker/leg-tail.ts';
import { createRunWriter, type RunWriter } from '../worker/run-writer.ts';
import { traceReader } from './get-run.ts';
import { answerWithTail } from './run-outcome.ts';
import { toRunResult } from './run-view.ts';

export interface CreateRunInput {
  readonly body: RunCreate;
  readonly principal: Principal;
  /** POST /specs/run writes its own event instead of run.created. */
  readonly audit: 'run.created' | 'spec.run';
}

export interface CreatedRun {
  readonly status: 200 | 202;
  readonly result: RunResult;
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
      ...(Object.keys(skills).length === 0 ? {} : { skills: { ...skills } }),
    },
    caller_metadata: body.metadata,
  };
}

function newRow(setup: RunSetup, body: RunCreate, metadata: JsonObject, at: number): RunsTable {
  const now = toTimestamp(at);
  return {
    id: setup.run_id,
    status: body.async_mode ? 'queued' : 'running',
    target: body.target,
    environment: body.environment,
    workflow_kind: body.target,
    workflow_name: null,
    agent_name: null,
    session_id: body.session_id,
    input_text: body.input,
    output_text: null,
    current_step_index: null,
    current_step_id: null,
    current_node_id: null,
    visited_steps: '[]',
    visited_nodes: '[]',
    messages: '[]',
    pending_human_request: null,
    continuation_id: null,
    trace_event_count: 0,
    trace_dropped: 0,
    error: null,
    usage: null,
    created_metadata: JSON.stringify(metadata),
    run_metadata: '{}',
    parent_run_id: null,
    tags: '[]',
    strict: body.strict ? 1 : 0,
    search_text: '',
    execution_token: null,
    deadline_at: setup.deadline_at,
    created_at: now,
    updated_at: now,
    started_at: null,
    completed_at: null,
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

function queueRefusal(deps: PlatformDeps): Refusal | undefined {
  const limit = deps.config.maxQueueDepth;
  if (limit <= 0) return undefined;
  const depth = deps.queue.depth();
  return depth < limit
    ? undefined
    : refuse('queue_full', { details: { queue_depth: depth, limit } });
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
  const row = newRow(setup, body, createdMetadata(body, prepared, skills), at);
  const first = newRun(setup, body.async_mode ? 'queued' : 'running', at);
  const token = deps.newToken();
  const writer = createRunWriter(deps, row, { fresh: true });
  const tail = tailOf(input, row.id, prepared);
  writer.add(first);
  if (body.async_mode) return { status: 202, result: await enqueue(deps, row, writer, tail) };

  const end = await executeLeg(deps, {
    row,
    state: first.state,
    token,
    events: [{ type: 'start', at }],
    onUnbuildable: 'fail',
    writer,
    tail,
  });
  return { status: 200, result: answerWithTail(deps, row.id, end, tail) };
}

/** Stores and queues a run; the answer, its record and its audit events are in the same transaction. */
async function enqueue(
  deps: PlatformDeps,
  row: RunsTable,
  writer: RunWriter,
  tail: LegTail,
): Promise<RunResult> {
  const result = toRunResult(row, traceReader(deps));
  let refusal: Refusal | undefined;
  const also = (): void => {
    deps.queue.insert(row.id);
    writeTail(deps, tail, result, 202);
  };
  await writer.commitLater(deps.commits, { token: '' }, null, also, () => {
    refusal = queueRefusal(deps);
    return refusal === undefined;
  });
  if (refusal !== undefined) {
    deps.metrics.add('runs_rejected');
    throw refusal;
  }
  deps.wakeWorkers();
  return result;
}
