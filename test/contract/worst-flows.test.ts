// Imported workflows made to cost as much as they can end in a failure that says why, and the service goes on. How long they hold the event loop is measured by `npm run bench -- worst`.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adds, code, flowSpec } from '../support/flow-specs.ts';
import { startTestPlatform, type TestPlatform } from '../support/platform.ts';
import { WORST_FLOWS } from '../support/worst-flows.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ checkResponses: false, thread: true });
});
afterAll(() => platform.stop());

test.each(WORST_FLOWS)('$what', { timeout: 300_000 }, async ({ spec, says }) => {
  const made = await platform.post('/v1/runs', { spec, input: '{}', async_mode: true });
  expect((await platform.get('/healthz')).status).toBe(200);
  const { body } = await platform.waitFor(made.body.run_id, 'failed', 'completed');
  expect(body.status).toBe('failed');
  expect(body.error.message).toMatch(says);
  await goesOn();
});

/** A run after it reads and computes as ever. */
async function goesOn(): Promise<void> {
  const input = JSON.stringify([{ n: 1 }]);
  const next = flowSpec({ start: adds('a', '={{ $json.n + 1 }}') }, []);
  const after = await platform.post('/v1/runs', { spec: next, input });
  const { body: ended } = await platform.waitFor(after.body.run_id, 'failed', 'completed');
  expect(JSON.parse(ended.output_text)).toEqual({ n: 1, a: '2' });
}

test.each(['', 'await null;'])(
  'Code that spoils prototypes spoils nothing else %s',
  async (wait) => {
    const spoil =
      'Object.prototype.json = 1; Array.prototype.map = null; Promise.prototype.then = null;';
    const spec = flowSpec({ start: code(`${spoil} ${wait} return [{ json: { own: 1 } }];`) }, []);
    const { body: made } = await platform.post('/v1/runs', { spec, input: '{}' });
    const { body } = await platform.waitFor(made.run_id, 'failed', 'completed');
    expect(body).toMatchObject({ status: 'completed' });
    expect(JSON.parse(body.output_text)).toEqual({ own: 1 });
    await goesOn();
  },
);
