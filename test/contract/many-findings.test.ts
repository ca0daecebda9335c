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

const NOT_LISTED = expect.objectContaining({ code: 'I_FINDINGS_NOT_LISTED', severity: 'info' });

/** Warnings only: each of these agents takes any tool, and nobody asks a person first. */
function freeAgents(count: number): object {
  const agents = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `a${i}`,
      { name: `a${i}`, tools: { include: ['t'] } },
    ]),
  );
  const tools = { t: { description: 'x', implementation: 'tool.t' } };
  return { version: 'v1', agent: { name: 'root' }, tools, components: { agents } };
}

test('the policy report of a valid spec lists a thousand findings', async () => {
  const answer = await platform.post('/v1/specs/policy-report', { spec: freeAgents(1500) });
  expect([answer.status, answer.body.valid]).toEqual([200, true]);
  const { diagnostics, tools } = answer.body.report;
  expect(diagnostics).toHaveLength(1001);
  expect(diagnostics.at(-1)).toEqual(NOT_LISTED);
  expect(tools.agent_policies.length).toBeGreaterThanOrEqual(1500);
});

test('what a stored environment policy blocks is listed up to a thousand', async () => {
  const policy = { fail_on_warnings: true };
  expect(
    (await platform.call('PUT', '/v1/policies/environment/strict', { body: policy })).status,
  ).toBe(200);
  for (const path of ['/v1/specs/compile', '/v1/runs']) {
    const spec = freeAgents(1500);
    const answer = await platform.post(path, {
      spec,
      environment: 'strict',
      ...(path.endsWith('runs') ? { input: 'x' } : {}),
    });
    expect([answer.status, answer.body.detail.error]).toEqual([403, 'environment_policy_blocked']);
    const { diagnostics, message } = answer.body.detail;
    expect(diagnostics).toHaveLength(1001);
    expect(diagnostics[0].code).toBe('E_ENV_POLICY_WARNING');
    expect(diagnostics.at(-1)).toEqual(NOT_LISTED);
    expect(message.split('\n').at(-1)).toMatch(/^INFO I_FINDINGS_NOT_LISTED: /);
  }
});

test('a run that goes on in spite of errors keeps a thousand of them', async () => {
  const steps = Array.from({ length: 1500 }, (_, i) => ({
    id: `s${i}`,
    kind: 'agent',
    ref: 'nobody',
  }));
  const spec = { version: 'v1', agent: { name: 'root' }, workflow: { type: 'sequential', steps } };
  const run = await platform.post('/v1/runs', {
    spec,
    input: 'x',
    strict: false,
    async_mode: true,
  });
  expect(run.status).toBe(202);
  const { body } = await platform.get(`/v1/runs/${run.body.run_id}`);
  expect(body.metadata.diagnostics).toHaveLength(1001);
  expect(body.metadata.diagnostics[0].code).toBe('E_STEP_AGENT_REF');
  expect(body.metadata.diagnostics.at(-1)).toEqual(NOT_LISTED);
});
