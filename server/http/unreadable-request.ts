import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** A request must have arrived whole within this time; its answer may take longer. Milliseconds. */
export const REQUEST_MS = 300_000;

/** What every listener bounds, so that a peer that sends little, or nothing, holds little. */
export const LISTENER_LIMITS = {
  /** Bytes of a request's line and headers; the line holds the query, searches included. */
  maxHeaderSize: 65_536,
  /** From the connection, or the request before, to the end of the headers. */
  headersTimeout: 15_000,
  /** How often Node looks for those that are late. */
  connectionsCheckingInterval: 2_000,
} as const;

/**
 * How long a connection waits for its next request. Longer than proxies keep one as a rule (60 s): who
 * closes first must be the side that sends, or a request meets a closed door. Milliseconds.
 */
export const KEPT_MS = 72_000;

const TOO_LATE = 'ERR_HTTP_REQUEST_TIMEOUT';
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  [TOO_LATE]: 408,
};

/** The client closed its side in the middle of a request: it left, as a rule. */
const CUT_OFF = 'HPE_INVALID_EOF_STATE';

/** What the answer to bytes that are no request carries; `status` is the one on the wire. */
export interface UnreadableAnswer {
  readonly body: unknown;
  readonly requestId: string;
}

/**
 * Answers bytes that Node cannot read as a request in the service's own envelope: 431 for headers
 * over the limit, 408 for a request that never ends, else 400. Node would answer in a form of its
 * own. The connection closes, one that brought no byte without a word: proxies keep connections for
 * later, and could take a word on one for the answer to the request that they are just sending.
 */
export function answerUnreadable(
  error: Error & { readonly code?: string },
  socket: Duplex,
  answerOf: (status: number, hasLeft: boolean) => UnreadableAnswer,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy(error);
    return;
  }
  if (error.code === TOO_LATE && socket instanceof Socket && socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_CODE[error.code ?? ''] ?? 400;
  const { body, requestId } = answerOf(status, error.code === CUT_OFF);
  const bytes = Buffer.from(JSON.stringify(body));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `x-request-id: ${requestId}`,
    'content-type: application/json',
    `content-length: ${bytes.length}`,
    'connection: close',
  ];
  const text = `${head.join('\r\n')}\r\n\r\n`;
  socket.end(Buffer.concat([Buffer.from(text), bytes]), () => socket.destroy());
}

/**
 * No service knows an expectation other than `100-continue`: the request is served as if it had
 * none.
 */
export function serveUnknownExpectations(fastify: FastifyInstance): void {
  fastify.server.on('checkExpectation', (request: IncomingMessage, response: unknown) => {
    fastify.server.emit('request', request, response);
  });
}
