import { t } from '../../../preload/texts/t.ts';
import type { TraceEvent } from '../../../server/contract/dashboard/trace.ts';
import { TAKEN_OVER, type TraceRow, type Waterfall } from './trace-model.ts';

const PHASE = /_(started|resumed|completed|failed)$/;

interface Draft {
  row: TraceRow;
  parent: string | null;
}

function timeOf(event: TraceEvent): number {
  const time = Date.parse(event.ts);
  return Number.isNaN(time) ? 0 : time;
}

function phaseOf(event: TraceEvent): string | undefined {
  return PHASE.exec(event.type)?.[1];
}

const ASKS = 'human_intervention_requested';
const RESUMED = 'workflow_resumed';

function wordsOf(type: string, open: boolean): string {
  if (type === ASKS) {
    return t('waits for');
  }
  if (type === TAKEN_OVER) {
    return t('taken over after its worker stopped answering');
  }
  return open ? type.replace(PHASE, '') : type.replaceAll('_', ' ');
}

/** The model or tool that was called, behind what it is. */
function whatOf(event: TraceEvent, open: boolean): string {
  const words = wordsOf(event.type, open);
  return event.called === undefined ? words : `${words} ${event.called}`;
}

function tokensOf({ tokens }: TraceEvent): Pick<TraceRow, 'tokens'> {
  return tokens === undefined ? {} : { tokens };
}

function newRow(event: TraceEvent, index: number, open: boolean): TraceRow {
  const at = timeOf(event);
  const failed = event.error !== null || event.type.endsWith('_failed');
  const closed = failed ? 'failed' : event.duration_ms > 0 ? 'done' : 'point';
  return {
    id: event.event_id ?? `${index}`,
    kind: event.kind,
    what: whatOf(event, open),
    node: event.node,
    state: open ? 'running' : closed,
    start: at - event.duration_ms,
    end: at,
    durationMs: event.duration_ms,
    depth: 0,
    input: event.input_preview,
    output: event.output_preview,
    error: event.error,
    offline: event.offline,
    ...tokensOf(event),
    wait: event.type === ASKS,
    events: [event],
  };
}

function closeRow(row: TraceRow, event: TraceEvent): TraceRow {
  const end = timeOf(event);
  const failed = event.type.endsWith('_failed') || event.error !== null;
  return {
    ...row,
    kind: row.kind === 'node' ? event.kind : row.kind,
    state: failed ? 'failed' : 'done',
    end,
    durationMs: event.duration_ms > 0 ? event.duration_ms : Math.max(0, end - row.start),
    output: event.output_preview ?? row.output,
    error: event.error ?? row.error,
    ...tokensOf(event),
    events: [...row.events, event],
  };
}

/**
 * The lines of a waterfall as events come. A line that no event has changed stays the same object, so
 * that a trace of any length costs what is new in it.
 */
class Lines {
  readonly #drafts: Draft[] = [];
  /** Place of the line that a span opened. */
  readonly #open = new Map<string, number>();
  /** Places of lines that wait for a person. */
  #waits: number[] = [];
  readonly #parents = new Map<string, string | null>();
  /** Spans that are around a line and have not been told of. */
  readonly #unknown = new Set<string>();
  #isNestedAnew = false;
  #start = Number.POSITIVE_INFINITY;
  #end = 0;
  #count = 0;
  #last: TraceEvent | undefined;

  /** True when the events begin with all that were added. */
  isBeginningOf(events: readonly TraceEvent[]): boolean {
    return this.#count === 0 || events[this.#count - 1] === this.#last;
  }

  /** Adds what the events have more. */
  addRest(events: readonly TraceEvent[]): void {
    for (const event of events.slice(this.#count)) {
      this.#add(event);
    }
  }

  /** What is still open when the run is over was cut off: it ends with the last event. */
  read(over: boolean): Waterfall {
    if (this.#isNestedAnew) {
      this.#isNestedAnew = false;
      this.#unknown.clear();
      for (const draft of this.#drafts) {
        draft.row = { ...draft.row, depth: this.#depthOf(draft.parent) };
      }
    }
    const end = this.#end;
    const rows = this.#drafts.map(({ row }): TraceRow => {
      const cut = over && row.state === 'running';
      return cut ? { ...row, state: 'done', end, durationMs: end - row.start } : row;
    });
    return { rows, start: rows.length === 0 ? 0 : this.#start, end };
  }

  #add(event: TraceEvent): void {
    this.#nest(event);
    if (event.type === ASKS) {
      this.#pauseLeg(event);
    }
    if (event.type === RESUMED) {
      this.#endWaits(event);
    }
    if (event.type === TAKEN_OVER) {
      this.#cutCalls(event);
    }
    if (!this.#close(event)) {
      this.#addLine(event);
    }
    this.#count += 1;
    this.#last = event;
  }

  #nest(event: TraceEvent): void {
    const { span_id: span, parent_span_id: parent } = event;
    if (span === null) {
      return;
    }
    const known = this.#parents.get(span);
    if (this.#unknown.has(span) || (known !== undefined && known !== parent)) {
      this.#isNestedAnew = true;
    }
    this.#parents.set(span, parent);
  }

  #depthOf(span: string | null): number {
    let depth = 0;
    const seen = new Set<string>();
    for (let at = span; at !== null && !seen.has(at); at = this.#parents.get(at) ?? null) {
      seen.add(at);
      depth += 1;
      if (!this.#parents.has(at)) {
        this.#unknown.add(at);
      }
    }
    return depth;
  }

  #put(at: number, row: TraceRow): void {
    const draft = this.#drafts[at];
    if (draft !== undefined) {
      draft.row = row;
      this.#end = Math.max(this.#end, row.end);
    }
  }

  #addLine(event: TraceEvent): void {
    const phase = phaseOf(event);
    const span = event.span_id;
    const opens = span !== null && (phase === 'started' || phase === 'resumed');
    const at = this.#drafts.length;
    const parent = event.parent_span_id;
    const row = { ...newRow(event, this.#count, opens), depth: this.#depthOf(parent) };
    this.#drafts.push({ row, parent });
    this.#start = Math.min(this.#start, row.start);
    this.#end = Math.max(this.#end, row.end);
    if (opens) {
      this.#open.set(span, at);
    }
    if (row.wait) {
      this.#waits.push(at);
    }
  }

  /** The answer of a person ends what waited for it. */
  #endWaits(event: TraceEvent): void {
    const end = timeOf(event);
    for (const at of this.#waits) {
      const row = this.#drafts[at]?.row;
      if (row !== undefined) {
        this.#put(at, { ...row, state: 'done', end, durationMs: end - row.start });
      }
    }
    this.#waits = [];
  }

  /** Nobody knows how the calls of a worker that is gone ended; those under way are made again. */
  #cutCalls(event: TraceEvent): void {
    const end = timeOf(event);
    const error = t('The worker stopped answering; what became of this call is not known.');
    for (const [span, at] of [...this.#open]) {
      const row = this.#drafts[at]?.row;
      if (row?.events[0]?.called !== undefined) {
        const durationMs = Math.max(0, end - row.start);
        this.#put(at, { ...row, state: 'failed', end, durationMs, error });
        this.#open.delete(span);
      }
    }
  }

  /** The line that a span opened, and its place. */
  #opened(span: string | null): readonly [number, TraceRow] | undefined {
    const at = span === null ? undefined : this.#open.get(span);
    const row = at === undefined ? undefined : this.#drafts[at]?.row;
    return at === undefined || row === undefined ? undefined : [at, row];
  }

  /** A leg of a workflow ends where it hands over to a person; the answer opens another. */
  #pauseLeg(event: TraceEvent): void {
    const span = event.parent_span_id ?? event.span_id;
    const leg = this.#opened(span);
    if (leg !== undefined && span !== null) {
      const [at, row] = leg;
      const end = timeOf(event);
      this.#put(at, { ...row, state: 'paused', end, durationMs: Math.max(0, end - row.start) });
      this.#open.delete(span);
    }
  }

  /** Closes the span that the event ends; false when it ends none that is open. */
  #close(event: TraceEvent): boolean {
    const phase = phaseOf(event);
    const span = event.span_id;
    const opened = this.#opened(span);
    if (opened === undefined || span === null || (phase !== 'completed' && phase !== 'failed')) {
      return false;
    }
    this.#put(opened[0], closeRow(opened[1], event));
    this.#open.delete(span);
    return true;
  }
}

/** Pairs the opening and closing events of spans into lines of a waterfall. */
export type ToWaterfall = (events: readonly TraceEvent[], over?: boolean) => Waterfall;

/** Draws a trace that grows: what it drew of the same events before is not drawn again. */
export function createWaterfalls(): ToWaterfall {
  let lines = new Lines();
  return (events, over = false) => {
    if (!lines.isBeginningOf(events)) {
      lines = new Lines();
    }
    lines.addRest(events);
    return lines.read(over);
  };
}

/** The waterfall of a trace that is whole. */
export const toWaterfall: ToWaterfall = (events, over) => createWaterfalls()(events, over);
