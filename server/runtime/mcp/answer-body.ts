import type { IncomingMessage } from 'node:http';

/** Limits of one answer of an MCP server. */
export interface AnswerLimits {
  /** Bytes of a JSON answer, or of one message of a stream. */
  readonly maxBytes: number;
  /** Milliseconds of silence after which a stream counts as gone. */
  readonly idleMs: number;
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

function tooLarge(limits: AnswerLimits): Error {
  return new Error(`the answer is larger than ${limits.maxBytes} bytes`);
}

/** A JSON answer, cut off with an error at its size limit. */
export async function* jsonBody(
  response: IncomingMessage,
  limits: AnswerLimits,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of response) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size > limits.maxBytes) throw tooLarge(limits);
    yield chunk;
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

function failureEvents(ids: readonly (string | number)[], message: string): Uint8Array {
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
): AsyncGenerator<Uint8Array> {
  const meter = new EventMeter();
  let problem = 'the server ended the stream without an answer';
  response.setTimeout(limits.idleMs, () => {
    response.destroy(new Error(`the server was silent for ${limits.idleMs / 1000} s`));
  });
  try {
    for await (const chunk of response) {
      if (!(chunk instanceof Uint8Array)) continue;
      meter.read(chunk);
      if (meter.largest > limits.maxBytes) throw tooLarge(limits);
      yield chunk;
    }
  } catch (error) {
    if (ids.length === 0) throw error;
    problem = error instanceof Error ? error.message : String(error);
  }
  if (ids.length > 0 && !meter.resumable) yield failureEvents(ids, problem);
}
