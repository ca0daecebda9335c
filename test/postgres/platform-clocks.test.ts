// Nodes on one database whose machines do not agree what time it is.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { functionSpec } from '../support/platform-world.ts';
import { humanSpec } from '../support/specs.ts';

const HOUR = 3_600_000;
const ENV = {
  SERV_SWEEP_INTERVAL_SECONDS: '0.2',
  SERV_WORKER_IDLE_POLL_SECONDS: '0.2',
  SERV_WORKER_LEASE_SECONDS: '2',
};

const nodes: TestPlatform[] = [];
const calls: string[] = [];
let database = '';
let fails = 0;

const handlers = {
  'work.slow': async ([input]: readonly unknown[]) => {
    calls.push(String(input));
    await sleep(3_000);
    return 'ok';
  },
  'work.flaky': () => {
    fails += 1;
    if (fails % 3 !== 0) throw new Error('not yet');
    return 'ok';
  },
};

async function node(machineSkewMs: number): Promise<TestPlatform> {
  const made = await startTestPlatform({
    ...{ database, env: ENV, handlers, machineSkewMs, thread: true },
  });
  nodes.push(made);
  return made;
}

beforeEach(() => {
  calls.length = 0;
  database = `/clocks/${process.pid}/${performance.now()}`;
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((made) => made.stop()));
});

async function blocked(p: TestPlatform, timeout_seconds: number): Promise<Loose> {
  const spec = humanSpec({ timeout_seconds });
  const run = (await p.post('/v1/runs', { input: 'x', spec })).body;
  expect(run.status).toBe('blocked');
  return run;
}

async function expiryOf(p: TestPlatform, { continuation_id }: Loose): Promise<number> {
  return (await p.get(`/v1/human-tasks/${continuation_id}`)).body.expires_at * 1000;
}

test.each([
  ['ahead', HOUR],
  ['behind', -HOUR],
])(
  'a node whose clock is an hour %s does no harm, and tells the time of the database',
  async (_how, skew) => {
    // The first one has the duty of sweeping.
    const wrong = await node(skew);
    const right = await node(0);
    const long = [await blocked(right, 60), await blocked(wrong, 60)];
    const short = [await blocked(right, 2), await blocked(wrong, 2)];
    for (const run of long) {
      for (const p of [right, wrong]) {
        expect(Math.abs((await expiryOf(p, run)) - Date.now() - 60_000)).toBeLessThan(5_000);
      }
    }
    const slow = await Promise.all(
      [right, wrong].map(async (p, at) => {
        const body = { input: `slow ${at}`, spec: functionSpec('work.slow'), async_mode: true };
        return (await p.post('/v1/runs', { ...body, timeout_seconds: 60 })).body.run_id;
      }),
    );
    const flaky = functionSpec('work.flaky', { on_error: 'retry', max_retries: 2 });
    for (const p of [right, wrong]) {
      const began = performance.now();
      const retried = await p.post('/v1/runs', { input: 'x', spec: flaky });
      expect(retried.body.status).toBe('completed');
      expect(performance.now() - began).toBeLessThan(10_000);
    }
    for (const id of slow) await right.waitFor(id, 'completed');
    expect(calls.filter((call) => call.includes('slow 0'))).toHaveLength(1);
    expect(calls.filter((call) => call.includes('slow 1'))).toHaveLength(1);
    for (const run of short) {
      await expect
        .poll(async () => (await right.get(`/v1/runs/${run.run_id}`)).body.status, {
          timeout: 5_000,
        })
        .not.toBe('blocked');
    }
    for (const run of long) {
      expect((await wrong.get(`/v1/runs/${run.run_id}`)).body.status).toBe('blocked');
    }
    const created = (await right.get(`/v1/runs/${slow[1]}`)).body.created_at;
    expect(Math.abs(Date.parse(created) - Date.now())).toBeLessThan(60_000);
    expect(wrong.logs.map(({ message }) => message).join('\n')).toContain('clock of this machine');
    expect(right.logs.map(({ message }) => message).join('\n')).not.toContain(
      'clock of this machine',
    );
  },
  90_000,
);
