import type { JsonObject } from '../kernel/json.ts';
import { scrubPaths } from '../kernel/redact.ts';
import { toTimestamp } from '../kernel/timestamp.ts';
import { itemsFrom, listLength } from './append-list.ts';
import type { Checkpoint, CheckpointType } from './checkpoint.ts';
import { derivedId } from './derived-id.ts';
import type { Effect, PendingEffect } from './effect.ts';
import type { Failure } from './failure.ts';
import { own } from './own.ts';
import type { Program, ProgramAgent, ProgramWorkflow } from './program.ts';
import type { Place, ResumePoint } from './resume-point.ts';
import { offeredSize } from './run-limits.ts';
import { deleteSeq, getSeq, seqValues, setSeq } from './seq-map.ts';
import type { Frame, FrameValue, Outcome, Pending, RunState } from './state.ts';
import type { StepOutcome } from './step-outcome.ts';
import { NO_EVENT_FIELDS, previewOf, type TraceEvent, type TraceEventType } from './trace.ts';
import type { TokensUsed } from './usage.ts';

type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** An effect without its id, which the turn gives. */
type NewEffect = PendingEffect extends infer E
  ? E extends PendingEffect
    ? Omit<E, 'id'>
    : never
  : never;

/** A frame without what the turn fills in. */
type NewFrame = Frame extends infer F
  ? F extends Frame
    ? Omit<F, 'id' | 'parent' | 'slot'>
    : never
  : never;

type Work =
  | { readonly kind: 'enter'; readonly frame: string }
  | {
      readonly kind: 'outcome';
      readonly parent: string | null;
      readonly child: Frame;
      readonly outcome: Outcome;
    };

/** Guardrails of one turn look so many steps at texts in sum, about four milliseconds; more is an effect. */
const LOOK_STEPS = 250_000;

const ZERO = 48;

/** The number in the id of a frame or an effect; several times in each step, so no text is made. */
function numberOf(id: string): number {
  let number = 0;
  for (let at = 1; at < id.length; at += 1) number = number * 10 + id.charCodeAt(at) - ZERO;
  return number;
}

/**
 * One application of an event: a draft of the next state and what it gives off. Everything that
 * differs is replaced, so the old state stays as it was.
 */
export class Turn {
  readonly program: Program | null;
  /** When the event counts as having happened: never before what the run has recorded already. */
  readonly at: number;
  /** When it happened by the clock, from which deadlines are counted. */
  readonly clock: number;
  readonly run: Draft<RunState>;
  readonly effects: Effect[] = [];
  readonly abandoned: string[] = [];
  readonly trace: TraceEvent[] = [];
  readonly checkpoints: Checkpoint[] = [];
  readonly points: ResumePoint[] = [];
  readonly used: TokensUsed[] = [];
  /** Steps that guardrails may still look at texts with before the turn ends. */
  lookSteps = LOOK_STEPS;
  private changedCounts: (readonly [string, number])[] = [];
  private work: Work[] = [];
  private workDone = 0;

  constructor(program: Program | null, state: RunState, at: number) {
    this.program = program;
    this.clock = at;
    this.at = Math.max(at, state.latest_at ?? at);
    this.run = { ...state, latest_at: this.at };
  }

  /** The program; events that reach frames always come with one. */
  get spec(): Program {
    if (this.program === null) throw new TypeError('this event needs the program of the run');
    return this.program;
  }

  agent(key: string): ProgramAgent {
    const found = own(this.spec.agents, key);
    if (found === undefined) throw new TypeError(`the program has no agent '${key}'`);
    return found;
  }

  workflow(name: string | null): ProgramWorkflow {
    const found = name === null ? this.spec.root_workflow : own(this.spec.workflows, name);
    if (found === undefined || found === null) throw new TypeError('the program lacks a workflow');
    return found;
  }

  preview(text: string): string {
    return previewOf(text, this.spec.redactText);
  }

  /** Text of an error as a trace event shows it: redacted, without absolute paths. */
  errorText(text: string): string {
    return scrubPaths(this.spec.redactText(text));
  }

  nextSeq(): number {
    this.run.seq += 1;
    return this.run.seq;
  }

  /** Counts work that is no part of its own among the parts that a run may take. */
  charge(parts: number): void {
    this.run.seq += Math.floor(parts);
  }

  newId(): string {
    return derivedId(this.run.setup.run_id, this.nextSeq());
  }

  frame(id: string): Frame | undefined {
    return getSeq(this.run.frames, numberOf(id));
  }

  /** The frame that waits for this one; undefined for the root of the run. */
  parentOf(frame: Frame): Frame | undefined {
    return frame.parent === null ? undefined : this.frame(frame.parent);
  }

  /** Replaces a frame by a changed copy of itself. */
  put(frame: Frame): void {
    this.run.frames = setSeq(this.run.frames, numberOf(frame.id), frame);
  }

  /** Opens a frame under a parent (null = the root of the run) and enters it before the turn ends. */
  open(parent: Frame | null, slot: number, fresh: NewFrame): string {
    const id = this.place(parent, slot, fresh);
    this.work.push({ kind: 'enter', frame: id });
    return id;
  }

  /** Opens a frame without entering it: the caller sets it going. */
  place(parent: Frame | null, slot: number, fresh: NewFrame): string {
    const id = `f${this.nextSeq()}`;
    this.put({ ...fresh, id, parent: parent?.id ?? null, slot });
    return id;
  }

  /** Closes a frame with what it gives to its parent. */
  close(frame: Frame, outcome: Outcome): void {
    // Only a batch of tool calls may fail while something below it is still open.
    if (!outcome.ok && frame.kind === 'tools') this.drop(frame.id);
    else this.run.frames = deleteSeq(this.run.frames, numberOf(frame.id));
    this.work.push({ kind: 'outcome', parent: frame.parent, child: frame, outcome });
  }

  succeed(frame: Frame, value: FrameValue): void {
    this.close(frame, { ok: true, value });
  }

  fail(frame: Frame, error: Failure): void {
    this.close(frame, { ok: false, error });
  }

  nextWork(): Work | undefined {
    const next = this.work[this.workDone];
    this.workDone += 1;
    return next;
  }

  /** How many parts this event has set in motion so far. */
  get worked(): number {
    return this.workDone;
  }

  /** Removes a frame with everything below it; effects below are abandoned. */
  drop(id: string): readonly Frame[] {
    const gone = this.subtree(id);
    const ids = new Set(gone.map((frame) => frame.id));
    for (const each of ids) this.run.frames = deleteSeq(this.run.frames, numberOf(each));
    for (const pending of seqValues(this.run.pending)) {
      if (ids.has(pending.frame)) this.abandon(pending.effect.id);
    }
    return gone;
  }

  dropAll(): void {
    for (const pending of seqValues(this.run.pending)) this.abandoned.push(pending.effect.id);
    this.run.pending = {};
    this.run.offered_chars = 0;
    this.run.frames = {};
    this.work = [];
    this.workDone = 0;
  }

  childrenOf(parent: Frame): readonly Frame[] {
    return [...seqValues(this.run.frames)].filter((frame) => frame.parent === parent.id);
  }

  /** Whether a frame works for an agent of the workflow guardrails: these do not check themselves. */
  isGuarding(frame: Frame): boolean {
    for (let at: Frame | undefined = frame; at !== undefined; at = this.parentOf(at)) {
      if (at.kind === 'guard' && at.stage === 'workflow') return true;
    }
    return false;
  }

  /** Whether a frame works for an agent call without middleware. */
  isQuiet(frame: Frame): boolean {
    for (let at: Frame | undefined = frame; at !== undefined; at = this.parentOf(at)) {
      if (at.kind === 'agent') return at.quiet;
    }
    return false;
  }

  private subtree(id: string): Frame[] {
    const found: Frame[] = [];
    const ids = new Set<string>();
    // A frame is always older than the frames below it.
    for (const frame of seqValues(this.run.frames)) {
      if (frame.id !== id && (frame.parent === null || !ids.has(frame.parent))) continue;
      ids.add(frame.id);
      found.push(frame);
    }
    return found;
  }

  /** Asks for an effect; its answer comes back to the frame. */
  request(frame: Frame, effect: NewEffect): string {
    const id = `x${this.nextSeq()}`;
    const full: PendingEffect = { ...effect, id };
    this.run.pending = setSeq(this.run.pending, numberOf(id), { frame: frame.id, effect: full });
    this.effects.push(full);
    this.run.offered_chars = (this.run.offered_chars ?? 0) + offeredSize(full);
    return id;
  }

  /** Takes a pending effect off the list because its answer came. */
  settle(effectId: string): Pending | undefined {
    const pending = getSeq(this.run.pending, numberOf(effectId));
    if (pending?.effect.id !== effectId) return undefined;
    this.run.pending = deleteSeq(this.run.pending, numberOf(effectId));
    const left = (this.run.offered_chars ?? 0) - offeredSize(pending.effect);
    this.run.offered_chars = Math.max(0, left);
    return pending;
  }

  /** Gives up an effect: its answer is no longer wanted. */
  abandon(effectId: string | null): void {
    if (effectId !== null && this.settle(effectId) !== undefined) this.abandoned.push(effectId);
  }

  emit(type: TraceEventType, fields: Partial<TraceEvent>): TraceEvent {
    const event: TraceEvent = {
      ...NO_EVENT_FIELDS,
      ...fields,
      type,
      run_id: this.run.setup.run_id,
      event_id: fields.event_id ?? this.newId(),
      timestamp: toTimestamp(this.at),
    };
    this.trace.push(event);
    return event;
  }

  /** Notes a new number of ends of a step for the next checkpoint. */
  counted(key: string, ends: number): void {
    this.changedCounts.push([key, ends]);
  }

  /** Gives off a place from which the run can be run again; answers its number. */
  markPoint(place: Place | null): number {
    this.run.point_count += 1;
    const { point_count: number, histories } = this.run;
    this.points.push({ number, place, histories });
    return number;
  }

  checkpoint(
    type: CheckpointType,
    metadata: JsonObject,
    place: Partial<
      Pick<Checkpoint, 'step_id' | 'node_id' | 'workflow_name' | 'iteration' | 'point'>
    > = {},
  ): void {
    this.run.checkpoint_count += 1;
    const { visited, visited_marked: keep } = this.run;
    this.run.visited_marked = listLength(visited);
    this.checkpoints.push({
      id: this.newId(),
      type,
      sequence: this.run.checkpoint_count,
      workflow_name: this.run.workflow_name,
      step_id: null,
      node_id: null,
      iteration: 1,
      point: this.run.point_count,
      ...place,
      metadata,
      created_at: toTimestamp(this.at),
      growth: {
        visited: { keep, tail: itemsFrom(visited, keep) },
        step_iteration_counts: this.changedCounts,
      },
      trace_before: this.trace.length,
      state: { ...this.run },
    });
    this.changedCounts = [];
  }

  outcome(): StepOutcome {
    return {
      state: this.run,
      effects: this.effects,
      abandoned: this.abandoned,
      trace: this.trace,
      checkpoints: this.checkpoints,
      points: this.points,
      used: this.used,
    };
  }
}
