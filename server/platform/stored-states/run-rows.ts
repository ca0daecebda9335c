import type { Checkpoint } from '../../engine/checkpoint.ts';
import type { ResumePoint } from '../../engine/resume-point.ts';
import { briefRunFields, type RunFields, toRunFields } from '../../engine/run-fields.ts';
import type { StepOutcome } from '../../engine/step-outcome.ts';
import type { TraceEvent } from '../../engine/trace.ts';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { isHeavier } from '../../kernel/json-weight.ts';
import { maskSecrets } from '../../kernel/mask-secrets.ts';
import type {
  CheckpointsTable,
  ResumePointsTable,
  RunsTable,
  TraceEventsTable,
} from '../../store/platform-tables.ts';
import { redactMember, redactObject, redactText, scrubPaths } from '../redaction.ts';
import { diffObjects, type MaskValue, type ObjectDelta } from '../stored-forms/json-delta.ts';
import { type PooledText, TextPool } from '../stored-forms/text-pool.ts';
import type { RowsBefore } from './checkpoints-repository.ts';
import { MAX_LOOKED_THROUGH } from './mask-run.ts';

/** A trace event that tells of the run's execution, not of its course. */
export type PlatformEvent = Omit<TraceEvent, 'type'> & {
  readonly type: 'run_recovered' | `${'model' | 'tool'}_${'started' | 'completed' | 'failed'}`;
};

/** What the engine gives off for one run, as rows numbered after those that the run has. */
export interface RunRows {
  readonly trace: readonly TraceEventsTable[];
  readonly checkpoints: readonly CheckpointsTable[];
  readonly points: readonly ResumePointsTable[];
  readonly traceCount: number;
  readonly traceDropped: number;
  /** True when a resume point holds a credential or is too long to be looked through, or when rows of before may. */
  readonly suspicious: boolean;
  add(outcome: StepOutcome): void;
  note(event: PlatformEvent): void;
  /** Forgets the rows because they are stored. */
  clear(): void;
}

/** The record's snapshot for a checkpoint, without what the run row and the trace rows keep anyway. */
function snapshotOf(fields: RunFields, traceDropped: number): JsonObject {
  const { input_text: _input, deadline_at: _deadline, ...rest } = fields;
  const snapshot: unknown = { ...rest, trace_dropped: traceDropped };
  return isJsonObject(snapshot) ? snapshot : {};
}

function storedTrace(event: TraceEvent | PlatformEvent): string {
  return JSON.stringify({
    ...event,
    metadata: redactObject(event.metadata),
    error: event.error === null ? null : scrubPaths(redactText(event.error)),
  });
}

function maskedList(mask: MaskValue, key: string, items: readonly string[]): Json[] {
  const masked = mask(key, [...items]);
  return Array.isArray(masked) ? masked : [];
}

/** A stored change; `texts` are the long ones that no change before it has named. */
type StoredChange = { readonly texts?: readonly PooledText[] } & (
  | { readonly full: ObjectDelta }
  | { readonly delta: ObjectDelta }
);

/** The texts that a pool has taken in since the last change, if any. */
function freshTexts(pool: TextPool): { texts?: readonly PooledText[] } {
  const texts = pool.take();
  return texts.length === 0 ? {} : { texts };
}

function inside(delta: ObjectDelta, key: string): ObjectDelta {
  delta.in ??= {};
  const found = delta.in[key] ?? {};
  delta.in[key] = found;
  return found;
}

/** Adds what the lists and counts of a record gained to the difference of everything else. */
function addGrowth(
  delta: ObjectDelta,
  { growth }: Checkpoint,
  visited: string,
  mask: MaskValue,
): void {
  const { keep, tail } = growth.visited;
  const list = { keep, tail: maskedList(mask, visited, tail) };
  const metadata = inside(delta, 'metadata');
  for (const place of [delta, inside(metadata, 'execution_context')]) {
    place.list ??= {};
    place.list[visited] = list;
  }
  const gained = Object.fromEntries(growth.step_iteration_counts);
  const counts = redactMember('step_iteration_counts', gained);
  if (!isJsonObject(counts) || Object.keys(counts).length === 0) return;
  inside(metadata, 'step_iteration_counts').set = counts;
}

function asJson(point: ResumePoint): JsonObject {
  const value: unknown = point;
  return isJsonObject(value) ? value : {};
}

/** A point at the very beginning says nothing that the run itself does not. */
function isBeginning({ place, histories }: ResumePoint): boolean {
  return place === null && Object.keys(histories).length === 0;
}

type RowsOptions = RowsBefore & { readonly traceCap: number };

class Rows implements RunRows {
  trace: TraceEventsTable[] = [];
  checkpoints: CheckpointsTable[] = [];
  points: ResumePointsTable[] = [];
  traceCount: number;
  traceDropped: number;
  suspicious: boolean;
  readonly #runId: string;
  readonly #traceCap: number;
  #sequence: number;
  #snapshot: JsonObject | undefined;
  #point: JsonObject | undefined;
  #metadata: JsonObject | undefined;
  readonly #pointTexts = new TextPool();
  readonly #checkpointTexts = new TextPool();

  constructor(row: RunsTable, options: RowsOptions) {
    this.#runId = row.id;
    this.traceCount = row.trace_event_count;
    this.traceDropped = row.trace_dropped;
    this.#sequence = options.lastCheckpoint;
    this.suspicious = options.hasState;
    this.#traceCap = options.traceCap;
  }

  add(outcome: StepOutcome): void {
    for (const point of outcome.points) this.#takePoint(point);
    let taken = 0;
    const takeTrace = (upTo: number): void => {
      for (const event of outcome.trace.slice(taken, upTo)) this.note(event);
      taken = Math.max(taken, upTo);
    };
    const visited = outcome.state.workflow_type === 'graph' ? 'visited_nodes' : 'visited_steps';
    for (const checkpoint of outcome.checkpoints) {
      takeTrace(checkpoint.trace_before);
      this.#takeCheckpoint(checkpoint, visited);
    }
    takeTrace(outcome.trace.length);
  }

  note(event: TraceEvent | PlatformEvent): void {
    if (this.#traceCap > 0 && this.traceCount >= this.#traceCap) {
      this.traceDropped += 1;
      return;
    }
    this.traceCount += 1;
    this.trace.push({
      run_id: this.#runId,
      sequence: this.traceCount,
      event_id: event.event_id,
      type: event.type,
      timestamp: event.timestamp,
      payload: storedTrace(event),
    });
  }

  clear(): void {
    this.trace = [];
    this.checkpoints = [];
    this.points = [];
  }

  readonly #mask = (key: string, value: Json): Json =>
    this.#checkpointTexts.encode(redactMember(key, value));

  #takePoint(point: ResumePoint): void {
    if (isBeginning(point)) return;
    const next = asJson(point);
    const texts = this.#pointTexts;
    const keep = (_key: string, value: Json): Json => {
      this.suspicious ||= isHeavier(value, MAX_LOOKED_THROUGH) || maskSecrets(value) !== value;
      return texts.encode(value);
    };
    const made =
      this.#point === undefined
        ? { full: diffObjects({}, next, keep) }
        : { delta: diffObjects(this.#point, next, keep) };
    const change: StoredChange = { ...freshTexts(texts), ...made };
    this.#point = next;
    this.points.push({
      run_id: this.#runId,
      number: point.number,
      change: JSON.stringify(change),
    });
  }

  #change(checkpoint: Checkpoint, visited: string): { full: ObjectDelta } | { delta: ObjectDelta } {
    const before = this.#snapshot;
    const brief = snapshotOf(briefRunFields(checkpoint.state), this.traceDropped);
    this.#snapshot = brief;
    if (before === undefined) {
      return {
        full: diffObjects(
          {},
          snapshotOf(toRunFields(checkpoint.state), this.traceDropped),
          this.#mask,
        ),
      };
    }
    const delta = diffObjects(before, brief, this.#mask);
    addGrowth(delta, checkpoint, visited, this.#mask);
    return { delta };
  }

  #metadataChange(next: JsonObject): { full: ObjectDelta } | { delta: ObjectDelta } {
    const before = this.#metadata;
    this.#metadata = next;
    return before === undefined
      ? { full: diffObjects({}, next, this.#mask) }
      : { delta: diffObjects(before, next, this.#mask) };
  }

  #takeCheckpoint(checkpoint: Checkpoint, visited: string): void {
    const change = this.#change(checkpoint, visited);
    const metadata = this.#metadataChange(checkpoint.metadata);
    const texts = freshTexts(this.#checkpointTexts);
    const snapshot = JSON.stringify({ ...texts, ...change, metadata });
    this.#sequence += 1;
    this.checkpoints.push({
      run_id: this.#runId,
      sequence: this.#sequence,
      id: checkpoint.id,
      type: checkpoint.type,
      workflow_name: checkpoint.workflow_name,
      step_id: checkpoint.step_id,
      node_id: checkpoint.node_id,
      iteration: checkpoint.iteration,
      snapshot,
      // With the snapshot, as a difference: step after step it holds the texts that grow.
      metadata: '{}',
      trace_upto: this.traceCount,
      created_at: checkpoint.created_at,
      point: checkpoint.point,
    });
  }
}

export function createRunRows(row: RunsTable, options: RowsOptions): RunRows {
  return new Rows(row, options);
}
