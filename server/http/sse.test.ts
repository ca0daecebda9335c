import { once } from 'node:events';
import http from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { openEventStream } from './sse.ts';

let fastify: FastifyInstance | undefined;
afterEach(async () => {
  await fastify?.close();
});

const EVENTS = 400;
/** More than the sockets between the two sides hold, so that writes wait for the reader. */
const EVENT_BYTES = 16 * 1024;

test('a stream of many events to a slow reader gathers no listeners', async () => {
  const counts: number[] = [];
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  fastify = Fastify();
  fastify.get('/stream', async (_request, reply) => {
    const stream = openEventStream(reply, {
      heartbeatMs: 1,
      sendTimeoutMs: 60_000,
      heartbeat: () => 'ping',
    });
    for (let sent = 0; sent < EVENTS; sent += 1) {
      await stream.send('event', 'x'.repeat(EVENT_BYTES));
      const { raw } = reply;
      counts.push(
        raw.eventNames().reduce((sum, name) => sum + raw.listenerCount(String(name)), 0),
        raw.socket?.listenerCount('drain') ?? 0,
      );
    }
    stream.close();
  });
  const url = await fastify.listen({ host: '127.0.0.1', port: 0 });
  const [answer] = await once(http.get(`${url}/stream`), 'response');
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  process.off('warning', note);
  expect(bytes).toBeGreaterThan(EVENTS * EVENT_BYTES);
  expect(Math.max(...counts)).toBeLessThan(11);
  expect(warnings).toEqual([]);
});
