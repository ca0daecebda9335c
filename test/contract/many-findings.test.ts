// A spec with more findings than anybody reads is answered with the first of them and a count (contract/platform.md 3.10).
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Answer,
  type Loose,
  startTestPlatform,
  type TestPlatform,
} from '../support/platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(async () => {
  await platform.stop();
});

/** One step that is no object is one finding. */
function wrongSteps(count: number): object {
  const steps = Array.from({ length: count }, () => 0);
  return { version: 'v1', agent: { name: 'root' }, workflow: { type: 'sequential', steps } };
}

/** Where each of the answers has its findings. */
function findingsOf({ body }: Answer): Loose[] {
  return body.diagnostics ?? body.report?.diagnostics ?? body.detail.diagnostics;
}

test.each([
  ['/v1/specs/validate', {}, 200],
  ['/v1/specs/policy-report', {}, 200],
  ['/v1/specs/compile', {}, 400],
  ['/v1/specs/graph', {}, 400],
  ['/v1/runs', { input: 'x' }, 400],
])('%s lists a thousand findings and counts the others', async (path, more, status) => {
  for (const count of [3000, 100_000]) {
    const answer = await platform.post(path, { spec: wrongSteps(count), ...more });
    expect(answer.status).toBe(status);
    const found = findingsOf(answer);
    expect(found.slice(0, 1000).every(({ code }) => code === 'E_SCHEMA')).toBe(true);
    expect(found.slice(1000)).toEqual([
      {
        code: 'I_FINDINGS_NOT_LISTED',
        severity: 'info',
        message: `${(count - 1000).toLocaleString('en')} more findings are not listed (errors: ${(count - 1000).toLocaleString('en')}). Mend what is listed and check again.`,
        path: null,
        suggestion: null,
      },
    ]);
    expect(answer.text.length).toBeLessThan(400_000);
  }
});

test('a thousand findings are listed whole', async () => {
  const answer = await platform.post('/v1/specs/validate', { spec: wrongSteps(1000) });
  expect(answer.body.valid).toBe(false);
  expect(answer.body.diagnostics).toHaveLength(1000);
  expect(new Set(answer.body.diagnostics.map(({ code }: Loose) => code))).toEqual(
    new Set(['E_SCHEMA']),
  );
});

test('a rerun that edits more names than a spec can have is refused by their number', async () => {
  const spec = { version: 'v1', agent: { name: 'root' } };
  const run = await platform.post('/v1/runs', { spec, input: 'x' });
  expect(run.status).toBe(200);
  for (const name of ['outputs', 'histories']) {
    const edited = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`k${i}`, 0]));
    const body = { checkpoint_sequence: 1, edits: { [name]: edited } };
    const answer = await platform.post(`/v1/runs/${run.body.run_id}/rerun`, body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail.errors).toEqual([
      {
        loc: ['body', 'edits', name],
        msg: 'Dictionary should have at most 10000 items',
        type: 'too_long',
      },
    ]);
  }
});
