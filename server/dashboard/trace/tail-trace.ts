import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { TracePageRead } from './page-shelf.ts';
import type { TraceEnd, TraceLog } from './trace-log.ts';
import type { TraceLogs, TraceTopic } from './trace-logs.ts';

/** What a tail needs. */
export interface TailOptions {
  readonly logs: TraceLogs;
  readonly topic: TraceTopic;
  /** Begins after so many events. */
  readonly after: number;
  /** Frames carry the place of their event as `id`. */
  readonly numbered: boolean;
  readonly signal: AbortSignal;
}

/** Frames of events, another status of the run, or why there is nothing more. */
export type TailStep =
  | { readonly frames: Uint8Array }
  | { readonly status: string }
  | { readonly end: TraceEnd };

/** One reader's place in a log. */
class Tail {
  readonly #log: TraceLog;
  readonly #options: TailOptions;
  #place: number;
  #told: string | null = null;
  /** The page that the reader was given last while it reads behind what the log keeps. */
  #page: TracePageRead | undefined;

  constructor(log: TraceLog, options: TailOptions) {
    this.#log = log;
    this.#options = options;
    this.#place = options.after;
  }

  /** The next step; undefined: ask again. */
  async next(): Promise<TailStep | undefined> {
    const { signal, numbered } = this.#options;
    const log = this.#log;
    if (!log.hasLooked) {
      await log.changed(signal);
      this.#place = Math.min(this.#place, log.reach);
      return undefined;
    }
    // One that knows no places is told as much as it can ask for by pages.
    if (!numbered && this.#place > LIST_WINDOW) return { end: 'window' };
    const kept = log.after(this.#place);
    if (kept === 'behind') return this.#catchUp();
    this.#page = undefined;
    if (kept !== 'nothing') {
      const frames = kept.frames(this.#place, numbered);
      this.#place = kept.to;
      return { frames };
    }
    if (log.status !== null && log.status !== this.#told) {
      this.#told = log.status;
      return { status: log.status };
    }
    if (log.over !== undefined) return { end: log.over };
    await log.changed(signal);
    return undefined;
  }

  async #catchUp(): Promise<TailStep> {
    const { signal, numbered } = this.#options;
    const place = this.#place;
    this.#page = await this.#log.pageAfter(place, this.#page);
    signal.throwIfAborted();
    const { chunk } = this.#page;
    if (chunk.to <= place) {
      // The platform no longer has what it answered before, as after it was put back from a copy.
      this.#place = this.#log.end;
      return { frames: new Uint8Array() };
    }
    this.#place = chunk.to;
    return { frames: chunk.frames(place, numbered) };
  }
}

/**
 * Yields what a stream of a run sends, from a place on: frames of what there is, then of what is
 * committed, until the run is terminal and its last page was read, or the reachable window ends
 * (contract/dashboard.md 10). A blocked run stays open. One who asks slowly gets more at once.
 */
export async function* tailTrace(options: TailOptions): AsyncGenerator<TailStep, void> {
  const { log, leave, drop } = options.logs.follow(options.topic, options.after);
  const tail = new Tail(log, options);
  try {
    for (;;) {
      const step = await tail.next();
      if (step === undefined) continue;
      yield step;
      if ('end' in step) return;
    }
  } catch (error) {
    if (!options.signal.aborted) drop();
    throw error;
  } finally {
    leave();
  }
}
