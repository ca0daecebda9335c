import { isStoppedStatus, isTerminalStatus } from '../../contract/platform/run-status.ts';
import { isNewRun } from '../../engine/create-run.ts';
import type { Continuation } from '../../engine/human.ts';
import { type RunFields, toRunFields } from '../../engine/run-fields.ts';
import type { RunState } from '../../engine/state.ts';
import type { StepOutcome } from '../../engine/step-outcome.ts';
import type { TokensUsed } from '../../engine/usage.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { toTimestamp, utcDay } from '../../kernel/timestamp.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Outbox } from '../events/outbox.ts';
import { noteRunEnded, noteTaskCreated } from '../events/run-events.ts';
import type { ShownTexts } from '../run-record/created-metadata.ts';
import type { RunChange } from '../run-record/run-columns.ts';
import { storedMessages } from '../run-record/stored-messages.ts';
import type { RowsBefore } from './checkpoints-repository.ts';
import { mayHoldSecrets } from './mask-run.ts';
import { createRunRows, type PlatformEvent } from './run-rows.ts';
import { storedState } from './run-states-repository.ts';
import { createRunWatch } from './run-watch.ts';

// What is written of a run, and how it is read again. The room promises: state, row, checkpoints,
// trace and task of one commit are stored together or not at all, by the holder of the run alone; what
// was stored is read as it was; and what ended runs leave holds no secret once it is masked.

/**
 * Who may write: the holder of the token, or whoever ends the run from outside and still finds the
 * status and the holder that it read.
 */
export type Fence =
  | { readonly token: string }
  | { readonly from: string; readonly token: string | null };

/** Collects what the engine gives off for one run and commits it in one transaction. */
export interface RunWriter {
  add(outcome: StepOutcome): void;
  /** Adds a trace event that the platform itself writes; stored with the next outcome. */
  note(event: PlatformEvent): void;
  /** Something was added since the last commit. */
  readonly dirty: boolean;
  /**
   * Writes state, record, checkpoints, trace, human task and queue row together. `next` is the token
   * that holds the run afterwards; `also` writes what belongs to the same transaction. False, and
   * nothing written, when the fence does not hold.
   */
  commit(fence: Fence, next: string | null, also?: () => void): boolean;
  /**
   * As commit, in the next transaction that callers share. Nothing may be added until it settles.
   * `admits` is asked first, in the transaction: false writes nothing.
   */
  commitLater(
    fence: Fence,
    next: string | null,
    also: (() => void) | undefined,
    admits?: () => boolean,
  ): Promise<boolean>;
  /** False while the run is not in the store. */
  readonly stored: boolean;
}

function toChange(
  fields: RunFields,
  messages: readonly JsonObject[],
  extra: { traceCount: number; traceDropped: number; now: string },
): RunChange {
  const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
  const { input_text: _input, deadline_at: _deadline, metadata, ...own } = fields;
  return {
    ...own,
    visited_steps: JSON.stringify(fields.visited_steps),
    visited_nodes: JSON.stringify(fields.visited_nodes),
    messages: storedMessages(messages),
    pending_human_request: json(fields.pending_human_request),
    error: json(fields.error),
    usage: json(fields.usage),
    run_metadata: JSON.stringify(metadata),
    trace_event_count: extra.traceCount,
    trace_dropped: extra.traceDropped,
    updated_at: extra.now,
  };
}

function objectsOf(items: readonly unknown[]): JsonObject[] {
  return items.filter(isJsonObject);
}

/** Runs that are not over, and those that can go on under another spec. */
function keepsState(state: RunState): boolean {
  if (!isTerminalStatus(state.status)) return !isNewRun(state);
  return isStoppedStatus(state.status) && state.setup.target === 'workflow';
}

/** Over, or waiting for a person: what others may want to hear of. */
function isAtRest(status: RunState['status']): boolean {
  return isTerminalStatus(status) || status === 'blocked';
}

function insertTask(
  deps: PlatformDeps,
  outbox: Outbox,
  continuation: Continuation,
  now: string,
): void {
  const { pending_human_request: request, ...payload } = continuation;
  noteTaskCreated(outbox, continuation);
  deps.continuations.insert({
    id: continuation.id,
    run_id: continuation.run_id,
    status: 'pending',
    workflow_kind: continuation.workflow_kind,
    request_id: continuation.pending_human_request_id,
    on_timeout: request.on_timeout,
    request: JSON.stringify(request),
    payload: JSON.stringify(payload),
    expires_at: continuation.expires_at,
    created_at: continuation.created_at,
    updated_at: now,
  });
}

/** Replaces the run's open task by the one it now waits for. */
function writeTask(
  deps: PlatformDeps,
  outbox: Outbox,
  state: RunState,
  before: string | null,
  now: string,
): void {
  const continuation = state.status === 'blocked' ? state.pause?.continuation : undefined;
  if (continuation?.id === before && before !== null) return;
  if (before !== null) deps.continuations.deleteOfRun(state.setup.run_id);
  if (continuation !== undefined) insertTask(deps, outbox, continuation, now);
}

function writeUsage(deps: PlatformDeps, row: RunsTable, used: readonly TokensUsed[]): void {
  if (used.length === 0) return;
  const { id: run_id, caller, workflow_name: workflow } = row;
  const day = utcDay(deps.clock.now());
  deps.usage.add({ run_id, caller, workflow, day }, used);
}

/** What one commit stores of a state. */
interface Prepared {
  readonly state: RunState;
  readonly change: RunChange;
  readonly messages: readonly JsonObject[];
  /** Null for a state that is not kept. */
  readonly stateText: string | null;
  /** True: what the run leaves is to be masked. */
  readonly toMask: boolean;
  readonly now: string;
}

const NO_ROWS: RowsBefore = { lastCheckpoint: 0, hasState: false };

/** A writer that goes on after what the run's row says; `fresh` = the row is not inserted yet. */
export function createRunWriter(
  deps: PlatformDeps,
  row: RunsTable,
  options: {
    readonly fresh: boolean;
    readonly shown?: ShownTexts | undefined;
    /** The stored state; absent = the run is not stored. */
    readonly before?: RunState;
    /** Where it was asked already. */
    readonly rows?: RowsBefore | undefined;
  },
): RunWriter {
  const before = options.rows ?? (options.fresh ? NO_ROWS : deps.checkpoints.before(row.id)());
  const rows = createRunRows(row, { ...before, traceCap: deps.config.traceMaxEvents });
  const watch = createRunWatch(deps, row, options.before);
  let inserted = !options.fresh;
  let task = row.continuation_id;
  let state: RunState | undefined;
  let used: TokensUsed[] = [];

  const saved = (
    fence: Fence,
    next: string | null,
    change: RunChange,
    messages: readonly JsonObject[],
  ): boolean => {
    if (!inserted) {
      deps.runs.insert({ ...row, ...change, execution_token: next }, options.shown, messages);
      return true;
    }
    return 'from' in fence
      ? deps.runs.saveFrom(row.id, fence, next, change, messages)
      : deps.runs.saveHeld(row.id, fence.token, next, change, messages);
  };
  /** Made before the store is locked: nobody else waits for the work on a long run's texts. */
  const prepare = (current: RunState): Prepared => {
    const now = toTimestamp(Math.max(deps.clock.now(), current.latest_at ?? 0));
    const fields = toRunFields(current);
    const messages = objectsOf(fields.messages);
    const facts = { traceCount: rows.traceCount, traceDropped: rows.traceDropped, now };
    const change = toChange(fields, messages, facts);
    const stateText = keepsState(current) ? storedState(current) : null;
    const toMask =
      isTerminalStatus(current.status) &&
      (rows.suspicious || mayHoldSecrets({ ...row, ...change }));
    return { state: current, change, messages, stateText, toMask, now };
  };
  const insertRows = (): void => {
    for (const event of rows.trace) deps.trace.insert(event);
    for (const checkpoint of rows.checkpoints) deps.checkpoints.insert(checkpoint);
    for (const point of rows.points) deps.resumePoints.insert(point);
  };
  const write = (
    { state: current, change, messages, stateText, toMask, now }: Prepared,
    fence: Fence,
    next: string | null,
    also: (() => void) | undefined,
  ): boolean => {
    const { status } = current;
    const rests = isAtRest(status);
    const outbox = rests ? deps.outbox.ask() : deps.outbox;
    if (!saved(fence, next, change, messages)) return false;
    insertRows();
    if (stateText !== null) deps.runStates.save(row.id, stateText, now);
    else if (inserted) deps.runStates.delete(row.id);
    writeTask(deps, outbox, current, task, now);
    writeUsage(deps, { ...row, ...change }, used);
    if (toMask) deps.masking.note(row.id);
    noteRunEnded(outbox, { ...row, ...change });
    if (rests) {
      deps.queue.end(row.id, status === 'failed' ? 'failed' : 'completed');
    }
    also?.();
    return true;
  };
  const committed = (current: RunState): void => {
    inserted = true;
    task = current.status === 'blocked' ? (current.pause?.continuation.id ?? null) : null;
    state = undefined;
    used = [];
    rows.clear();
    watch.stored();
  };
  const ended = (since: number, held: boolean, current: RunState): boolean => {
    watch.wrote(held ? 'ok' : 'lost', (performance.now() - since) / 1000);
    if (held) committed(current);
    return held;
  };

  return {
    note: (event) => rows.note(event),
    add(outcome) {
      state = outcome.state;
      rows.add(outcome);
      used.push(...outcome.used);
      watch.take(outcome);
    },
    get dirty() {
      return state !== undefined;
    },
    get stored() {
      return inserted;
    },
    commit(fence, next, also) {
      if (state === undefined) return true;
      const since = performance.now();
      const made = prepare(state);
      const { sync } = deps.store;
      const held = sync.inTransaction
        ? write(made, fence, next, also)
        : deps.writeLock.run(() => sync.transaction(write).immediate(made, fence, next, also));
      return ended(since, held, made.state);
    },
    async commitLater(fence, next, also, admits) {
      if (state === undefined) return true;
      const since = performance.now();
      const made = prepare(state);
      const held = await deps.commits.add(
        () => admits?.() !== false && write(made, fence, next, also),
      );
      return ended(since, held, made.state);
    },
  };
}
