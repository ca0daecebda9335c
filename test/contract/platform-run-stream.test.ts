// GET /v1/runs/{id}/events: a run as it goes on, over the wire, with a model server that streams.
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { humanSpec, TINY } from '../support/specs.ts';
import { readSse, type SseReader } from '../support/sse-reader.ts';

let models: ModelServer;
let p: TestPlatform;
const readers: SseReader[] = [];
const WORDS =
  'The parcel with the key sk-aaaaaaaaaaaaaaaaaaaaaaaa is on its way to the house today';

beforeEach(async () => {
  models = await startModelServer();
  const env = {
    OPENAI_BASE_URL: models.baseUrl('openai'),
    OPENAI_API_KEY: 'k',
    SERV_STREAMS_PER_CALLER: '3',
  };
  p = await startTestPlatform({ thread: true, env });
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.leave();
  await p.stop();
  await models.stop();
});

async function follow(runId: string, query = '', headers: Loose = {}): Promise<SseReader> {
  const of = { authorization: 'Bearer admin-key', ...headers };
  const reader = await readSse(`${p.url}/v1/runs/${runId}/events${query}`, of);
  readers.push(reader);
  return reader;
}

function asking(over: Loose = {}) {
  const model = { provider: 'openai', name: 'm' };
  return { version: 'v1', agent: { name: 'writer', model, ...over } };
}

async function start(spec: unknown): Promise<string> {
  const { body } = await p.post('/v1/runs', { input: 'x', spec, async_mode: true });
  return body.run_id;
}

describe('what is stored', () => {
  test('every event once and in order, then the end; a reader goes on where it was', async () => {
    const { body } = await p.post('/v1/runs', { input: 'x', spec: TINY });
    const stored = (await p.get(`/v1/runs/${body.run_id}/trace`)).body.events;
    const reader = await follow(body.run_id);
    await reader.closed;
    const traced = reader.frames.filter(({ event }) => event === 'trace');
    expect(traced.map(({ data }) => data)).toEqual(stored);
    expect(traced.map(({ id }) => id)).toEqual(stored.map((_: Loose, at: number) => `${at + 1}`));
    expect(reader.frames.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed' } });
    const rest = await follow(body.run_id, '', { 'last-event-id': '1' });
    await rest.closed;
    const after = rest.frames.filter(({ event }) => event === 'trace').map(({ data }) => data);
    expect(after).toEqual(stored.slice(1));
  });

  test('a run that waits for a person is followed through its end', async () => {
    const { body } = await p.post('/v1/runs', { input: 'x', spec: humanSpec() });
    const reader = await follow(body.run_id);
    await reader.until(({ event, data }) => event === 'run' && data.status === 'blocked');
    await p.post(`/v1/runs/${body.run_id}/cancel`);
    await reader.until(({ event, data }) => event === 'end' && data.status === 'cancelled');
    await reader.closed;
  });

  test('an unknown run is 404, and one key follows only so many', async () => {
    expect((await p.get('/v1/runs/nope/events')).status).toBe(404);
    const { body } = await p.post('/v1/runs', { input: 'x', spec: humanSpec() });
    const open = [];
    for (let n = 0; n < 3; n += 1) open.push(await follow(body.run_id));
    const refused = await p.get(`/v1/runs/${body.run_id}/events`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    open[0]?.leave();
    const again = async () => (await follow(body.run_id)).status;
    await expect.poll(again, { timeout: 10_000, interval: 500 }).toBe(200);
  });
});

describe('what a model says', () => {
  test('it grows, redacted and marked as transient; what is stored replaces it', async () => {
    models.reply({ text: WORDS, fault: { kind: 'drip', everyMs: 500 } });
    const id = await start(asking());
    const reader = await follow(id);
    const first = await reader.until(({ event, data }) => event === 'answer' && data.text !== '');
    expect(first.id).toBeNull();
    expect(first.data).toMatchObject({ transient: true, agent_name: 'writer', done: false });
    await reader.until(({ event, data }) => event === 'answer' && data.done);
    await reader.closed;
    const texts = reader.frames.flatMap(({ event, data }) =>
      event === 'answer' && !data.done ? [data.text] : [],
    );
    for (const [at, text] of texts.entries()) {
      expect(text.startsWith(texts[at - 1] ?? '')).toBe(true);
    }
    expect(JSON.stringify(reader.frames)).not.toContain('sk-aaaa');
    const ended = await p.get(`/v1/runs/${id}`);
    expect(ended.body.output_text).toContain('on its way');
    const trace = await p.get(`/v1/runs/${id}/trace`);
    expect(trace.text).not.toContain('transient');
  });

  test('nothing of it is told where a guardrail may keep it back', async () => {
    models.reply({ text: WORDS, fault: { kind: 'drip', everyMs: 300 } });
    const guardrails = { output: [{ id: 'g', type: 'keyword', config: { keywords: ['bomb'] } }] };
    const reader = await follow(await start(asking({ guardrails })));
    await reader.closed;
    expect(models.requests.length).toBe(1);
    expect(reader.frames.map(({ event }) => event)).not.toContain('answer');
  });

  test('a reader that does not read holds up neither the run nor other readers', async () => {
    models.reply({ text: WORDS, fault: { kind: 'drip', everyMs: 300 } });
    const id = await start(asking());
    const { hostname, port } = new URL(p.url);
    const socket = net.connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.pause();
    const key = 'Authorization: Bearer admin-key';
    socket.write(
      `GET /v1/runs/${id}/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${key}\r\n\r\n`,
    );
    const reader = await follow(id);
    await reader.until(({ event }) => event === 'end');
    socket.destroy();
  });
});
