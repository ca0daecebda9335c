import { setTimeout as delay } from 'node:timers/promises';
import { isTerminalStatus } from '../../contract/platform/run-status.ts';
import type { LiveAnswer } from '../../contract/platform/run-stream.ts';
import type { EventStream } from '../../http/sse.ts';
import type { PlatformDeps } from '../deps.ts';

/** Events that are read and sent at once. */
const PAGE = 200;
/** A run is looked at so often also where nothing was told. */
const LOOK_MS = 15_000;
/** As LOOK_MS, while too many others wait for news. */
const POLL_MS = 1000;

type Deps = Pick<PlatformDeps, 'runList' | 'runChanges' | 'trace' | 'liveAnswers'>;

interface Asked {
  readonly runId: string;
  /** Begins after so many events. */
  readonly after: number;
  readonly withTrace: boolean;
}

function frameOf(event: string, json: string, id?: number): string {
  const place = id === undefined ? '' : `id: ${id}\r\n`;
  return `${place}event: ${event}\r\ndata: ${json}\r\n\r\n`;
}

/** One reader's way along a run. */
class RunReader {
  readonly #deps: Deps;
  readonly #asked: Asked;
  readonly #stream: EventStream;
  /** The newest of each answer that the reader was not sent yet. */
  readonly #answers = new Map<string, LiveAnswer>();
  #place: number;
  #told: string | undefined;

  constructor(deps: Deps, asked: Asked, stream: EventStream) {
    this.#deps = deps;
    this.#asked = asked;
    this.#stream = stream;
    this.#place = asked.after;
  }

  hear(answer: LiveAnswer): void {
    this.#answers.set(answer.call_id, answer);
  }

  #send(text: string): Promise<void> {
    return this.#stream.sendFrames(Buffer.from(text));
  }

  /** Sends what is stored after the reader's place. */
  async #sendTrace(): Promise<void> {
    const { runId, withTrace } = this.#asked;
    for (let isFull = withTrace; isFull; ) {
      const payloads = this.#deps.trace.page(runId, undefined, PAGE, this.#place);
      const before = this.#place;
      const frames = payloads.map((json, at) => frameOf('trace', json, before + at + 1));
      this.#place += payloads.length;
      isFull = payloads.length === PAGE;
      if (frames.length > 0) await this.#send(frames.join(''));
    }
  }

  async #sendAnswers(): Promise<void> {
    const answers = [...this.#answers.values()];
    this.#answers.clear();
    const frames = answers.map((answer) => frameOf('answer', JSON.stringify(answer)));
    if (frames.length > 0) await this.#send(frames.join(''));
  }

  /** Sends what there is; false when the run is over or gone and all of it was sent. */
  async step(): Promise<boolean> {
    // Read before the trace: what is stored with an end is sent before the end is told.
    const run = this.#deps.runList.traceFacts(this.#asked.runId);
    await this.#sendAnswers();
    await this.#sendTrace();
    if (run === undefined) return false;
    const { status } = run;
    if (status !== this.#told) await this.#send(frameOf('run', JSON.stringify({ status })));
    this.#told = status;
    if (!isTerminalStatus(status)) return true;
    await this.#send(frameOf('end', JSON.stringify({ status })));
    return false;
  }
}

/**
 * Sends a run to one reader from a place on until it is over, the reader leaves or the service
 * stops. What is next is read once the reader took what was before.
 */
export async function streamRun(deps: Deps, asked: Asked, stream: EventStream): Promise<void> {
  const { runChanges, liveAnswers } = deps;
  const watch = runChanges.watch(asked.runId);
  const reader = new RunReader(deps, asked, stream);
  let said = Promise.withResolvers<void>();
  const leave = liveAnswers.follow(asked.runId, (answer) => {
    reader.hear(answer);
    said.resolve();
  });
  const signal = AbortSignal.any([stream.closed, runChanges.closing]);
  try {
    while (!signal.aborted && (await reader.step())) {
      const waiting = new AbortController();
      const either = AbortSignal.any([signal, waiting.signal]);
      const news = watch?.next(LOOK_MS, either) ?? delay(POLL_MS);
      await Promise.race([said.promise, news]);
      waiting.abort();
      if (watch !== undefined) await news;
      said = Promise.withResolvers<void>();
    }
  } finally {
    leave();
    watch?.end();
  }
}
