import type { FastifyReply, FastifyRequest } from 'fastify';

/** What reading a body, a stream or a call on the client's behalf ends with once the client is gone. */
const ABORT_CODES: ReadonlySet<unknown> = new Set([
  ...['ABORT_ERR', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'],
]);

function speaksOfAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || ('code' in error && ABORT_CODES.has(error.code));
}

/** True when a request failed because its client left: nobody's fault, and nothing for the log. */
export function hasLeft(error: unknown, request: FastifyRequest, reply: FastifyReply): boolean {
  const gone = reply.raw.destroyed || (request.raw.destroyed && !request.raw.complete);
  return gone && speaksOfAbort(error);
}
