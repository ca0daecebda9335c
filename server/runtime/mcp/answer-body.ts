import type { IncomingMessage } from 'node:http';

/** Limits of the answers of an MCP server. */
export interface AnswerLimits {
  /** Bytes of a JSON answer, or of one message of a stream. */
  readonly maxBytes: number;
  readonly idle: IdleWatch;
}

/** JSON-RPC ids of the requests in a body that is being sent. */
export function requestIds(body: unknown): readonly (string | number)[] {
  if (typeof body !== 'string') return [];
  const parsed: unknown = JSON.parse(body);
  const messages = Array.isArray(parsed) ? parsed : [parsed];
  return messages.flatMap((message: unknown) => {
    if (typeof message !== 'object' || message === null) return [];
    if (!('method' in message) || !('id' in message)) return [];
    return typeof message.id === 'string' || typeof message.id === 'number' ? [message.id] : [];
  });
}

const TOO_LARGE = 'the answer is larger than';

/** Why an answer is given up. */
export function tooLarge(maxBytes: number): Error {
  return new Error(`${TOO_LARGE} ${maxBytes} bytes`);
}

/** Whether a text says that an answer was given up for its size. */
export function saysTooLarge(text: string): boolean {
  return text.includes(TOO_LARGE);
}

/** Ends streams on which nothing moves: neither an event nor a message of ours that may bring one. */
export class IdleWatch {
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #idleMs: number;

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  touch(): void {
    for (const timer of this.#timers) timer.refresh();
  }

  /** Destroys the stream when its time is over; the answer takes it off the watch. */
  watch(stream: IncomingMessage): () => void {
    const timer = setTimeout(() => {
      stream.destroy(new Error(`the server was silent for ${this.#idleMs / 1000} s`));
    }, this.#idleMs);
    this.#timers.add(timer);
    return () => {
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
  }
}

/** A JSON answer, cut off with an error at its size limit. */
export async function* jsonBody(
  response: IncomingMessage,
  limits: AnswerLimits,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let size = 0;
  for await (const chunk of response) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size > limits.maxBytes) throw tooLarge(limits.maxBytes);
    yield new Uint8Array(chunk);
  }
}

/** Counts the bytes of the event that is being received; an empty line ends an event. */
class EventMeter {
  /** The server numbers its events: a broken stream can be taken up again. */
  resumable = false;
  largest = 0;
  #event = 0;
  #line: number[] = [];
  #lineLength = 0;

  read(chunk: Uint8Array): void {
    for (const byte of chunk) {
      this.#event += 1;
      if (byte === 0x0a) this.#endLine();
      else if (byte !== 0x0d) {
        this.#lineLength += 1;
        if (this.#lineLength <= 4) this.#line.push(byte);
      }
    }
    this.largest = Math.max(this.largest, this.#event);
  }

  #endLine(): void {
    if (this.#lineLength > 3 && String.fromCharCode(...this.#line).startsWith('id:')) {
      this.resumable = true;
    }
    if (this.#lineLength === 0) this.#event = 0;
    this.#line = [];
    this.#lineLength = 0;
  }
}

function failureEvents(
  ids: readonly (string | number)[],
  message: string,
): Uint8Array<ArrayBuffer> {
  const events = ids.map((id) => {
    const error = { jsonrpc: '2.0', id, error: { code: -32000, message } };
    return `\n\ndata: ${JSON.stringify(error)}\n\n`;
  });
  return new TextEncoder().encode(events.join(''));
}

/**
 * An event stream with its limits. When it ends or breaks, each request that it was to answer is
 * answered with an error, so that nobody waits for an answer that cannot come; a request that has its
 * answer already ignores that.
 */
export async function* streamBody(
  response: IncomingMessage,
  ids: readonly (string | number)[],
  limits: AnswerLimits,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const meter = new EventMeter();
  const unwatch = limits.idle.watch(response);
  let problem = 'the server ended the stream without an answer';
  try {
    for await (const chunk of response) {
      if (!(chunk instanceof Uint8Array)) continue;
      limits.idle.touch();
      meter.read(chunk);
      if (meter.largest > limits.maxBytes) throw tooLarge(limits.maxBytes);
      yield new Uint8Array(chunk);
    }
  } catch (error) {
    if (ids.length === 0) throw error;
    problem = error instanceof Error ? error.message : String(error);
  } finally {
    unwatch();
  }
  if (ids.length > 0 && !meter.resumable) yield failureEvents(ids, problem);
}
