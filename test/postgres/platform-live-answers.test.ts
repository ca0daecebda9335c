// What models say, followed at another node than the one that executes the run.
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectionOptions } from '../../server/store/postgres-pool.ts';
import { databases, externalAt } from '../support/chosen-store.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { readSse, type SseReader } from '../support/sse-reader.ts';

const WORDS = `The parcel with the key sk-aaaaaaaaaaaaaaaaaaaaaaaa is on its way. ${'It is near now. '.repeat(6)}`;
const ASKING = {
  version: 'v1',
  agent: { name: 'writer', model: { provider: 'openai', name: 'm' } },
};

let models: ModelServer;
let database = '';
let turn = 0;
const nodes: TestPlatform[] = [];
const readers: SseReader[] = [];

beforeEach(async () => {
  models = await startModelServer();
  turn += 1;
  database = `/live-answers/${process.pid}/${turn}`;
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.leave();
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
  await models.stop();
});

async function node(role: 'api' | 'worker', env = {}): Promise<TestPlatform> {
  const made = await startTestPlatform({
    ...{ database, role, thread: true },
    env: {
      ...{ OPENAI_BASE_URL: models.baseUrl('openai'), OPENAI_API_KEY: 'k' },
      ...{ SERV_SWEEP_INTERVAL_SECONDS: '0', SERV_WORKER_IDLE_POLL_SECONDS: '0.2' },
      ...env,
    },
  });
  nodes.push(made);
  return made;
}

async function start(at: TestPlatform): Promise<string> {
  const body = { input: 'x', spec: ASKING, async_mode: true };
  return (await at.post('/v1/runs', body)).body.run_id;
}

async function follow(at: TestPlatform, runId: string): Promise<SseReader> {
  const headers = { authorization: 'Bearer admin-key' };
  const reader = await readSse(`${at.url}/v1/runs/${runId}/events`, headers);
  readers.push(reader);
  return reader;
}

/** Everything that is said on a channel of the database. */
async function overheard(channel: string): Promise<{ words: string[]; leave(): Promise<void> }> {
  const client = new pg.Client(connectionOptions(externalAt(await databases.of(database))));
  const words: string[] = [];
  client.on('notification', ({ payload = '' }) => words.push(payload));
  await client.connect();
  await client.query(`LISTEN ${channel}`);
  return { words, leave: () => client.end() };
}

const saidTo = (reader: SseReader): string[] =>
  reader.frames.flatMap(({ event, data }) => (event === 'answer' && !data.done ? [data.text] : []));

test('who follows a run at nodes that execute nothing reads along, redacted', async () => {
  models.reply({ text: WORDS, fault: { kind: 'drip', everyMs: 300 } });
  const [api, other] = [await node('api'), await node('api')];
  await node('worker');
  const id = await start(api);
  const [reader, second] = [await follow(api, id), await follow(other, id)];
  const first = await reader.until(({ event, data }) => event === 'answer' && data.text !== '');
  expect(first.data).toMatchObject({ transient: true, agent_name: 'writer', done: false });
  // It comes when some is said already, and gets all of it.
  const late = await follow(other, id);
  for (const each of [reader, second, late]) {
    await each.until(({ event, data }) => event === 'answer' && data.done);
    await each.closed;
    const texts = saidTo(each);
    expect(texts.length).toBeGreaterThan(0);
    for (const [at, text] of texts.entries()) {
      expect(text.startsWith('The parcel')).toBe(true);
      expect(text.startsWith(texts[at - 1] ?? '')).toBe(true);
    }
    expect(JSON.stringify(each.frames)).not.toContain('sk-aaaa');
  }
  expect((await api.get(`/v1/runs/${id}`)).body.output_text).toContain('on its way');
});

test('a long text comes whole, in words that the database takes', async () => {
  const long = '包裹 在路上 '.repeat(5_000);
  models.reply({ text: long, delayMs: 3000, fault: { kind: 'hang_mid_stream' } });
  const api = await node('api');
  await node('worker');
  const { words, leave } = await overheard('specwright_answers');
  const id = await start(api);
  const reader = await follow(api, id);
  const first = await reader.until(
    ({ event, data }) => event === 'answer' && data.text.length > 10_000,
  );
  expect(first.data.cut).toBe(true);
  expect(long).toContain(first.data.text);
  expect(Math.max(...words.map((word) => Buffer.byteLength(word)))).toBeLessThan(8_000);
  expect((await api.post(`/v1/runs/${id}/cancel`)).status).toBe(200);
  await leave();
});

test('a run that nobody follows says nothing', async () => {
  models.reply({ text: WORDS, fault: { kind: 'drip', everyMs: 100 } });
  const api = await node('api');
  await node('worker');
  const { words, leave } = await overheard('specwright_answers');
  await api.waitFor(await start(api), 'completed');
  expect(words).toEqual([]);
  await leave();
});

test('without NOTIFY nothing is told meanwhile, and what is stored comes', async () => {
  models.reply({ text: WORDS, fault: { kind: 'drip', everyMs: 300 } });
  const env = { SERV_DATABASE_NOTIFY: 'false' };
  const api = await node('api', env);
  await node('worker', env);
  const reader = await follow(api, await start(api));
  await reader.until(({ event, data }) => event === 'end' && data.status === 'completed');
  expect(saidTo(reader)).toEqual([]);
  expect(reader.types()).toContain('run_completed');
});
