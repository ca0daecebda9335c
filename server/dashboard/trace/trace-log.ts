import { setTimeout as delay } from 'node:timers/promises';
import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import type { PageShelf, TracePageRead } from './page-shelf.ts';
import { createTraceChunk, type TraceChunk } from './trace-chunk.ts';
import { PAGE, type TraceLook, type TraceSource } from './trace-source.ts';
import { createSpanClock, type SpanClock, toTraceEvent } from './trace-view.ts';

const POLL_MS = 1000;
/** Newest frames that are kept for readers that are a little behind; the last chunk always is. */
const KEPT_BYTES = 64 * 1024;
/** Two reads of one run are so far apart, and farther where many runs are followed. */
const GAP_MS = 5;
const LONGEST_GAP_MS = 25;
const LOGS_PER_MS = 8;

/** Why a trace has no more to tell. */
export type TraceEnd = 'run_over' | 'window';

/** What the logs of a platform share. */
export interface LogPace {
  readonly shelf: PageShelf;
  /** How many runs are followed, of all platforms. */
  followed(): number;
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The trace of one run as it grows, read once for however many streams follow it. It reads on only
 * while a reader waits at its end, so that readers who do not read cost nothing; one that falls
 * behind what is kept reads the platform by itself ({@link pageAfter}).
 */
export class TraceLog {
  readonly #source: TraceSource;
  readonly #controller = new AbortController();
  readonly #waiters = new Set<Waiter>();
  readonly #clock = createSpanClock();
  readonly #pace: LogPace;
  #chunks: TraceChunk[] = [];
  #end: number;
  #reach = 0;
  #status: string | null = null;
  #over: TraceEnd | undefined;
  /** The cursor to wait with; null: there may be more now. */
  #seen: string | null = null;
  /** Nothing was found by the last read, which did not wait. */
  #pauses = false;
  #looked = false;
  #reading = false;
  #readAt = 0;

  /** Begins after so many events. */
  constructor(source: TraceSource, pace: LogPace, from: number) {
    this.#source = source;
    this.#pace = pace;
    this.#end = from;
  }

  /** How many events of the trace were read. */
  get end(): number {
    return this.#end;
  }

  /** How many events there were at the last read, as far as the platform said. */
  get reach(): number {
    return this.#reach;
  }

  /** The status of the run at the end; null before the first read. */
  get status(): string | null {
    return this.#status;
  }

  /** Set once there will be nothing after the end. */
  get over(): TraceEnd | undefined {
    return this.#over;
  }

  get hasLooked(): boolean {
    return this.#looked;
  }

  /** What was read after a place: frames, nothing yet, or no longer kept. */
  after(place: number): TraceChunk | 'nothing' | 'behind' {
    if (place >= this.#end) return 'nothing';
    return this.#chunks.find(({ from, to }) => from <= place && place < to) ?? 'behind';
  }

  /**
   * The page that holds what is after a place that is no longer kept. Pages begin at round places, so
   * that all readers who are behind share them. `before` is the one that this reader had last.
   */
  async pageAfter(place: number, before: TracePageRead | undefined): Promise<TracePageRead> {
    const from = place - (place % PAGE);
    const read = () => this.#readPage(from, before);
    const page = await this.#pace.shelf.page(this, from, read);
    // One that somebody else asked for earlier may end before what was committed since.
    return page.chunk.to > place ? page : this.#pace.shelf.page(this, from, read);
  }

  /** Resolves after the next read. @throws what it failed with; the signal's reason. */
  changed(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { resolve, reject };
    const left = (): void => reject(signal.reason);
    this.#waiters.add(waiter);
    signal.addEventListener('abort', left, { once: true });
    if (!this.#reading) void this.#read();
    return promise.finally(() => {
      this.#waiters.delete(waiter);
      signal.removeEventListener('abort', left);
    });
  }

  /** Nobody follows any more. */
  close(): void {
    this.#controller.abort();
  }

  async #read(): Promise<void> {
    this.#reading = true;
    try {
      await this.#advance();
      this.#reading = false;
      for (const { resolve } of [...this.#waiters]) resolve();
    } catch (error) {
      this.#reading = false;
      for (const { reject } of [...this.#waiters]) reject(error);
    }
  }

  async #advance(): Promise<void> {
    const { signal } = this.#controller;
    await this.#rest(signal);
    const before = this.#seen;
    const from = this.#end;
    if (!this.#looked) await this.#wind(this.#clock, from, signal);
    const begun = performance.now();
    const look = await this.#source.look(from, before, signal);
    const { events, cursor } = look;
    if (!this.#looked && look.total !== null) this.#end = Math.min(from, look.total);
    if (events.length > 0) this.#keep(events.map((event) => toTraceEvent(event, this.#clock)));
    const more = events.length < PAGE ? 0 : Number.POSITIVE_INFINITY;
    this.#reach = Math.max(this.#end, look.total ?? more);
    const wasOver = isTerminalStatus(this.#status);
    this.#status = await this.#statusAfter(look, signal);
    this.#looked = true;
    this.#over = this.#overAfter(look, wasOver);
    this.#seen = events.length < PAGE ? cursor : null;
    this.#readAt = performance.now();
    const isQuick = performance.now() - begun < POLL_MS;
    const isPolled = cursor === null && !isTerminalStatus(this.#status);
    this.#pauses = events.length === 0 && (isPolled || (isQuick && cursor === before));
  }

  /** A run whose commits follow each other closely is read for several of them at once. */
  async #rest(signal: AbortSignal): Promise<void> {
    const since = performance.now() - this.#readAt;
    const gap = Math.min(LONGEST_GAP_MS, Math.max(GAP_MS, this.#pace.followed() / LOGS_PER_MS));
    const wait = this.#pauses ? POLL_MS : gap - since;
    if (this.#pauses || (this.#seen !== null && wait > 0)) {
      await delay(wait, undefined, { signal });
    }
  }

  async #statusAfter(look: TraceLook, signal: AbortSignal): Promise<string | null> {
    if (look.cursor !== null) return look.status;
    return isTerminalStatus(this.#status) ? this.#status : this.#source.status(signal);
  }

  /** A status that came with the page was read before it; one that was asked for, after it. */
  #overAfter(look: TraceLook, wasOver: boolean): TraceEnd | undefined {
    const window = Math.min(look.window ?? LIST_WINDOW, LIST_WINDOW);
    if (!look.isUnbounded && this.#end > window) return 'window';
    const isLast = look.cursor === null ? wasOver && look.events.length === 0 : true;
    return isLast && look.events.length < PAGE && isTerminalStatus(this.#status)
      ? 'run_over'
      : undefined;
  }

  #keep(events: Parameters<typeof createTraceChunk>[1]): void {
    const chunk = createTraceChunk(this.#end, events);
    this.#chunks.push(chunk);
    this.#end = chunk.to;
    let bytes = this.#chunks.reduce((sum, kept) => sum + kept.bytes, 0);
    while (this.#chunks.length > 1 && bytes > KEPT_BYTES) {
      bytes -= this.#chunks.shift()?.bytes ?? 0;
    }
  }

  async #readPage(from: number, before: TracePageRead | undefined): Promise<TracePageRead> {
    const { signal } = this.#controller;
    const last = before?.chunk.to === from ? before : this.#pace.shelf.kept(this, from - PAGE);
    const clock = last?.clock.copy() ?? createSpanClock();
    // Without the page before, spans are known that it opened.
    if (last === undefined) await this.#wind(clock, from, signal);
    const { events } = await this.#source.look(from, null, signal);
    const shown = events.map((event) => toTraceEvent(event, clock));
    return { chunk: createTraceChunk(from, shown), clock, isFull: events.length === PAGE };
  }

  async #wind(clock: SpanClock, place: number, signal: AbortSignal): Promise<void> {
    if (place === 0) return;
    const from = Math.max(0, place - PAGE);
    const { events } = await this.#source.look(from, null, signal);
    for (const event of events.slice(0, place - from)) clock.close(event);
  }
}
