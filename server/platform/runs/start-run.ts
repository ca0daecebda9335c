import type { RunResult } from '../../contract/platform/runs.ts';
import type { RunSetup } from '../../engine/state.ts';
import type { StepOutcome } from '../../engine/step-outcome.ts';
import { type Answer, answer, answerText } from '../../http/answer.ts';
import { joinObjectTexts, memberText } from '../../kernel/json-text.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { executeLeg } from '../legs/execute-leg.ts';
import type { LegTail } from '../legs/leg-tail.ts';
import { answerWithTail } from '../legs/run-outcome.ts';
import type { LegEnd } from '../legs/running-leg.ts';
import { writeTail } from '../legs/write-tail.ts';
import type { QueuePlace } from '../queue/queue-place.ts';
import { refuse } from '../refuse.ts';
import type { ShownTexts } from '../run-record/created-metadata.ts';
import { traceReader } from '../run-record/get-run.ts';
import { toRunResult } from '../run-record/run-view.ts';
import { createRunWriter, type RunWriter } from '../stored-states/run-writer.ts';

// What a request can do with runs: make, begin again, go on, cancel. The room promises: a refused
// request leaves nothing; an accepted one leaves the run, its audit events and the record of its key
// together.

/** What a new run's row holds beside its setup. */
export interface NewRunFacts {
  readonly async_mode: boolean;
  readonly session_id: string | null;
  readonly strict: boolean;
  readonly parent_run_id: string | null;
  /** Name of the key that asks for it. */
  readonly caller: string | null;
  readonly code_bundle: string | null;
  /** JSON text. */
  readonly metadata: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The row of a run that nothing has happened to yet. */
export function newRow(setup: RunSetup, facts: NewRunFacts): RunsTable {
  const now = toTimestamp(facts.at);
  return {
    id: setup.run_id,
    status: facts.async_mode ? 'queued' : 'running',
    target: setup.target,
    environment: setup.environment,
    workflow_kind: setup.target,
    workflow_name: null,
    agent_name: null,
    session_id: facts.session_id,
    input_text: setup.input_text,
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
    created_metadata: facts.metadata,
    run_metadata: '{}',
    parent_run_id: facts.parent_run_id,
    tags: '[]',
    strict: facts.strict ? 1 : 0,
    execution_token: null,
    caller: facts.caller,
    deadline_at: setup.deadline_at,
    code_bundle: facts.code_bundle,
    created_at: now,
    updated_at: now,
    started_at: null,
    completed_at: null,
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

/** A run before its first event. */
export interface NewRun {
  readonly row: RunsTable;
  readonly first: StepOutcome;
  readonly tail: LegTail;
  /** Where it waits when it is queued. */
  readonly place: QueuePlace;
  /** How a large spec is shown, where that is known already. */
  readonly shown?: ShownTexts | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The answer of a queued run; of a large spec it is made of texts, unparsed. */
function queuedAnswer(deps: PlatformDeps, { row, shown }: NewRun) {
  if (shown === undefined) return { result: toRunResult(row, traceReader(deps)), text: undefined };
  const result = toRunResult(row, traceReader(deps), {});
  const { metadata, ...fields } = result;
  const whole = joinObjectTexts(shown.metadata, JSON.stringify(metadata));
  const text = joinObjectTexts(JSON.stringify(fields), memberText('metadata', whole));
  return { result, text };
}

/** Stores and queues a run; the answer, its record and its audit events are in the same transaction. */
async function enqueue(
  deps: PlatformDeps,
  run: NewRun,
  writer: RunWriter,
): Promise<Answer<RunResult>> {
  const { row, tail } = run;
  const { result, text } = queuedAnswer(deps, run);
  let refusal: Refusal | undefined;
  const also = (): void => {
    deps.queue.insert(row.id, run.place);
    writeTail(deps, tail, result, 202, text);
  };
  await writer.commitLater({ token: '' }, null, also, () => {
    refusal = queueRefusal(deps);
    return refusal === undefined;
  });
  if (refusal !== undefined) {
    deps.metrics.add('runs_rejected');
    throw refusal;
  }
  deps.pressure.note();
  deps.wakeWorkers();
  const status = { status: 202 };
  return text === undefined ? answer(result, status) : answerText(text, status);
}

/** A run of a large spec that ended as a run should: its answer stands in the store as texts. */
function hasPlainEnd({ shown }: NewRun, end: LegEnd): boolean {
  if (shown === undefined || end.kind !== 'settled' || end.result !== null) return false;
  const { status, thrown } = end.outcome;
  return status === 'completed' || (status === 'failed' && !thrown);
}

/**
 * Queues a new run (202) or executes it (200): a run that is over within a moment is stored once, a
 * longer one as soon as it waits for something or yields.
 * @throws Refusal queue_full, or for what the engine threw.
 */
export async function startRun(deps: PlatformDeps, run: NewRun): Promise<Answer<RunResult>> {
  const { row, first, tail, at } = run;
  const writer = createRunWriter(deps, row, { fresh: true, shown: run.shown });
  writer.add(first);
  if (row.status === 'queued') return enqueue(deps, run, writer);
  const end = await executeLeg(deps, {
    kind: 'new',
    row,
    state: first.state,
    token: deps.newToken(),
    event: { type: 'start', at },
    writer,
    tail,
  });
  return hasPlainEnd(run, end)
    ? answerText(await deps.runAnswers.ended(row.id))
    : answer(await answerWithTail(deps, row.id, end, tail));
}
