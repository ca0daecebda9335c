// Synchronous runs that take time: so many at once, and a caller beyond them is told at once or soon
// (contract/platform.md 3.2): nobody hangs.
import { afterEach, describe, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { functionSpec } from '../support/platform-world.ts';
import { projectTree } from '../support/project-tree.ts';

const SLOW = `
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
export const slow = async (text) => { await wait(2000); return 'slow: ' + text; };
export const quick = (text) => 'quick: ' + text;
`;

let p: TestPlatform | undefined;
afterEach(async () => {
  await p?.stop();
  p = undefined;
});

async function open(env: Record<string, string> = {}): Promise<TestPlatform> {
  const specRoot = projectTree({ 'functions/desk/code.mjs': SLOW });
  p = await startTestPlatform({ specRoot, trusted: true, thread: true, env });
  return p;
}

async function timed(service: TestPlatform, name: string, key = 'admin-key') {
  const begun = performance.now();
  const spec = functionSpec(`desk.code.${name}`);
  const answer: Loose = await service.post('/v1/runs', { input: 'x', spec }, { key });
  return { ...answer, seconds: (performance.now() - begun) / 1000 };
}

describe('synchronous runs that take time', () => {
  test('24 of a slow function at once: some run, the others are sent away soon and leave nothing', async () => {
    const service = await open({ SERV_SYNC_MAX_CODE_RUNS: '2', SERV_SYNC_WAIT_SECONDS: '0.3' });
    expect((await timed(service, 'slow')).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 24 }, () => timed(service, 'slow')));
    const done = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 503);
    expect(done.length + refused.length).toBe(24);
    expect(done.length).toBeGreaterThanOrEqual(2);
    expect(refused.length).toBeGreaterThanOrEqual(12);
    for (const answer of refused) {
      expect(answer.body.detail.error).toBe('sync_runs_full');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(answer.seconds).toBeLessThan(10);
    }
    // A refused run is nowhere.
    expect((await service.get('/v1/runs')).body.total).toBe(done.length + 1);
    const metrics = (await service.get('/metrics')).text;
    expect(metrics).toMatch(new RegExp(`^runs_sync_refused_total ${refused.length}$`, 'm'));
    expect(metrics).toMatch(new RegExp(`^kneo_runs_started_total ${done.length + 1}$`, 'm'));
    // The places are free again.
    expect((await timed(service, 'slow')).status).toBe(200);
  });

  test('the standard settings send nobody away whose turn comes soon', async () => {
    const service = await open();
    await timed(service, 'quick');
    const answers = await Promise.all(Array.from({ length: 24 }, () => timed(service, 'quick')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 200));
  });

  test('SERV_SYNC_MAX_RUNS_PER_CALLER: one caller is told 429, another is served', async () => {
    const service = await open({ SERV_SYNC_MAX_RUNS_PER_CALLER: '1' });
    await timed(service, 'quick');
    const first = timed(service, 'slow');
    await expect
      .poll(async () => (await service.get('/v1/runs?status=running')).body.total)
      .toBe(1);
    const second = await timed(service, 'slow');
    expect(second.status).toBe(429);
    expect(second.body.detail.error).toBe('too_many_sync_runs');
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await timed(service, 'slow', 'operator-key')).status).toBe(200);
    expect((await first).status).toBe(200);
  });
});
