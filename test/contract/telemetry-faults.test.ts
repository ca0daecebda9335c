// A collector that does not answer, and services that are killed (contract/platform.md 12).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { functionSpec } from '../support/platform-world.ts';
import { TINY } from '../support/specs.ts';
import {
  collector,
  freshTelemetry,
  model,
  open,
  spansUntil,
  telemetryEnv,
} from '../support/telemetry-world.ts';

freshTelemetry();

/** A service that is started anew loads its code twice, on a machine that others use as well. */
const PATIENCE = { timeout: 60_000, interval: 100 };
const PROCESS = fileURLToPath(new URL('../support/fault-process.ts', import.meta.url));
const LOADS = fileURLToPath(new URL('../support/loaded-telemetry.ts', import.meta.url));

async function start(file: string, effects: string): Promise<{ child: ChildProcess; url: string }> {
  const settings = { SERV_WORKER_LEASE_SECONDS: '5', ...telemetryEnv() };
  const child = spawn(process.execPath, [PROCESS, file, effects, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout ?? child, 'data');
  return { child, url: String(line).trim() };
}

async function ask(url: string, init: RequestInit = {}) {
  const headers = { authorization: 'Bearer admin-key', 'content-type': 'application/json' };
  const answer = await fetch(url, { ...init, headers: { ...headers, ...init.headers } });
  return answer.json();
}

test('a run whose service is killed keeps one trace, and no span lacks its parent', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'telemetry-'));
  const [file, effects] = [path.join(folder, 'platform.db'), path.join(folder, 'effects')];
  const trace = '1af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${trace}-b7ad6b7169203331-01`;
  const agent = (name: string, of: string) => ({ name, model: { provider: 'openai', name: of } });
  const spec = {
    version: 'v1',
    agent: { name: 'desk' },
    workflow: {
      ...{ type: 'sequential', name: 'two' },
      steps: [
        { id: 's1', kind: 'agent', ref: 'one' },
        { id: 's2', kind: 'agent', ref: 'two' },
      ],
    },
    components: { agents: { one: agent('one', 'm-1'), two: agent('two', 'm-2') } },
  };
  let hangs = true;
  model.answerWith(({ body }) =>
    body.model === 'm-2' && hangs ? { fault: { kind: 'hang' } } : { text: 'ok' },
  );
  const first = await start(file, effects);
  let second: ChildProcess | undefined;
  try {
    const made = await ask(`${first.url}/v1/runs`, {
      ...{ method: 'POST', headers: { traceparent } },
      body: JSON.stringify({ input: 'x', spec, async_mode: true }),
    });
    await expect.poll(() => model.requests.length, PATIENCE).toBe(2);
    // The agent before it is told of once its span is at the collector.
    await spansUntil('invoke_agent one');
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    hangs = false;
    const again = await start(file, effects);
    second = again.child;
    await expect
      .poll(async () => (await ask(`${again.url}/v1/runs/${made.run_id}`)).status, PATIENCE)
      .toBe('completed');
    const spans = (await spansUntil('run two')).filter((span) => span.trace === trace);
    const count = (name: string) => spans.filter((span) => span.name === name).length;
    const names = ['run two', 'invoke_workflow two', 'invoke_agent one', 'chat m-1'];
    expect(names.map(count)).toEqual([1, 1, 1, 1]);
    // The call that the kill cut off was made again; it is told of once, where it ended.
    expect([count('invoke_agent two'), count('chat m-2'), model.requests.length]).toEqual([
      1, 1, 3,
    ]);
    const ids = new Set(['b7ad6b7169203331', ...spans.map(({ id }) => id)]);
    expect(spans.filter(({ parent }) => !ids.has(parent))).toEqual([]);
    expect(new Set(spans.map(({ id }) => id)).size).toBe(spans.length);
  } finally {
    for (const child of [first.child, second]) child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);

test('what is off loads nothing of it', async () => {
  const loads = async (env: Readonly<Record<string, string>>): Promise<string[]> => {
    const child = spawn(process.execPath, [LOADS, JSON.stringify(env)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) chunks.push(Buffer.from(chunk));
    return JSON.parse(Buffer.concat(chunks).toString());
  };
  const [on, off] = await Promise.all([
    loads(telemetryEnv()),
    loads(telemetryEnv({ SERV_OTEL_ENABLED: 'false' })),
  ]);
  expect(on.length).toBeGreaterThan(10);
  expect(off).toEqual([]);
}, 120_000);

test.each(['refuse', 'hang'] as const)(
  'a collector that answers %s costs no run anything; what it does not take is counted',
  async (mode) => {
    collector.mode = mode;
    const p = await open({
      OTEL_BSP_MAX_QUEUE_SIZE: '4',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2',
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    });
    const begun = performance.now();
    for (let n = 0; n < 20; n += 1) {
      const { status } = await p.post('/v1/runs', { input: 'x', spec: TINY });
      expect(status).toBe(200);
    }
    const took = performance.now() - begun;
    expect(took).toBeLessThan(20_000);
    await expect
      .poll(async () => {
        const { text } = await p.get('/metrics');
        return Number(/^otel_spans_dropped_total (\d+)$/m.exec(text)?.[1]);
      })
      .toBeGreaterThan(10);
    expect(collector.spans).toEqual([]);
    const stopping = performance.now();
    await p.stop();
    expect(performance.now() - stopping).toBeLessThan(15_000);
    if (mode === 'refuse') {
      const lines = p.logs.filter(({ message }) => message.includes('takes no spans'));
      expect(lines).toHaveLength(1);
    }
  },
  60_000,
);

test('without a collector runs go on as ever', async () => {
  const p = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  const run = await p.post('/v1/runs', { input: 'x', spec: functionSpec('work.upper') });
  expect(run.body.status).toBe('completed');
});

test('addresses and pairs that are none stop the start, unless telemetry is off', async () => {
  const bad = { OTEL_EXPORTER_OTLP_ENDPOINT: 'file:///etc/passwd' };
  await expect(open(bad)).rejects.toThrow('OTEL_EXPORTER_OTLP_ENDPOINT must be an address');
  await expect(open({ OTEL_BSP_MAX_QUEUE_SIZE: '0' })).rejects.toThrow('OTEL_BSP_MAX_QUEUE_SIZE');
  const p = await open({ ...bad, SERV_OTEL_ENABLED: 'off' });
  expect((await p.get('/v1/healthz')).status).toBe(200);
});
