import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How much of a body that nobody wants is read, so that its sender sees the answer. */
interface Bounds {
  readonly bytes: number;
  readonly totalMs: number;
  /**
   * When no byte came for this long, the sender has paused to wait for the answer. Milliseconds.
   */
  readonly idleMs: number;
}

const BOUNDS: Bounds = { bytes: 256 * 1024 * 1024, totalMs: 20_000, idleMs: 2_000 };

/** Whoever reads to the end knows it too: a request that comes over no socket is never `complete`. */
function isWhole({ complete, readableEnded }: IncomingMessage): boolean {
  return complete || readableEnded;
}

/**
 * Reads and forgets what is still to come of a body, within bounds. A connection that is closed
 * before is reset, and the reset wipes out the answer for whoever sends first and reads then.
 */
export async function forgetBody(request: IncomingMessage, bounds = BOUNDS): Promise<void> {
  if (isWhole(request) || request.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => resolve();
  let left = bounds.bytes;
  const idle = setTimeout(done, bounds.idleMs);
  const total = setTimeout(done, bounds.totalMs);
  const count = (chunk: Buffer): void => {
    left -= chunk.length;
    if (left < 0) done();
    idle.refresh();
  };
  const endings = ['end', 'close', 'error'] as const;
  for (const ending of endings) request.once(ending, done);
  request.on('data', count).resume();
  try {
    await promise;
  } finally {
    clearTimeout(idle);
    clearTimeout(total);
    request.off('data', count);
    for (const ending of endings) request.off(ending, done);
  }
}

async function* andForget(bytes: Uint8Array, request: IncomingMessage): AsyncGenerator<Uint8Array> {
  yield bytes;
  await forgetBody(request);
}

/**
 * Answers at once, and ends the answer when the rest of the request's body has been forgotten: who
 * reads early has the whole answer by its length, who sends first finds it afterwards.
 */
export function sendOverBody(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Uint8Array,
): FastifyReply {
  const { headers } = request.raw;
  const bodied = Number(headers['content-length'] ?? '0') > 0 || 'transfer-encoding' in headers;
  if (isWhole(request.raw) || !bodied) return reply.send(bytes);
  void reply.header('connection', 'close').header('content-length', String(bytes.length));
  return reply.send(Readable.from(andForget(bytes, request.raw), { objectMode: false }));
}

/** As sendOverBody, for an answer whose status and headers are set, of a server without routes. */
export function endOverBody(response: ServerResponse, bytes: Uint8Array): void {
  response.setHeader('content-length', String(bytes.length));
  if (!isWhole(response.req)) response.setHeader('connection', 'close');
  response.write(bytes);
  void forgetBody(response.req).finally(() => response.end());
}
