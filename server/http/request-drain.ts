import type { FastifyInstance } from 'fastify';

const GRACE_MS = 10_000;
const LOOK_MS = 20;

/**
 * Counts requests in progress, so that a stop can wait for them and for nothing else. A connection
 * that never sent a request does not count as idle for Node and would hold the listener open until
 * it times out.
 */
export function trackRequests(fastify: FastifyInstance): (graceMs?: number) => Promise<void> {
  let running = 0;
  fastify.addHook('onRequest', async (_request, reply) => {
    running += 1;
    reply.raw.once('close', () => {
      running -= 1;
    });
  });
  /** Closes the listener when nothing runs any more, at the latest after the grace. Milliseconds. */
  return async (graceMs = GRACE_MS) => {
    const closed = fastify.close();
    const deadline = performance.now() + graceMs;
    const timer = setInterval(() => {
      if (running > 0 && performance.now() < deadline) return;
      fastify.server.closeAllConnections();
    }, LOOK_MS);
    try {
      await closed;
    } finally {
      clearInterval(timer);
    }
  };
}
