// Every code of contract/platform.md 4.1 is reached, with its status, extra fields and headers.

import { describe, expect, test } from 'vitest';
import { PLATFORM_ERRORS } from '../../server/contract/platform/errors.ts';
import { CODE_CASES } from '../support/code-error-cases.ts';
import { CASES } from '../support/error-cases.ts';
import { hold, letGo, p, run, shareErrorPlatforms, workflow } from '../support/errors-world.ts';

shareErrorPlatforms();

describe('refusals', () => {
  const cases = [...CASES, ...CODE_CASES];
  test.each(cases.map((item) => [`${item.code}: ${item.what}`, item] as const))(
    '%s',
    async (_name, { code, act, fields, headers }) => {
      const answer = await act();
      const { status } = PLATFORM_ERRORS[code as keyof typeof PLATFORM_ERRORS];
      expect([answer.status, answer.body?.detail?.error]).toEqual([status, code]);
      const { detail, ...beside } = answer.body;
      expect(beside).toEqual({});
      const { error: _code, message, ...extra } = detail;
      expect(extra).toEqual(fields ?? (code === 'spec_invalid' ? expect.anything() : {}));
      expect(message).toMatch(/\S/);
      expect(answer.text).not.toMatch(/SQLITE|\/srv\/|\/etc\/|node_modules|\bat \w+ \(/);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.headers.get('x-request-id')).toMatch(/\S/);
      expect(answer.headers.get('retry-after')).toBe(headers?.['retry-after'] ?? null);
      for (const [name, value] of Object.entries(headers ?? {})) {
        expect([name, answer.headers.get(name)]).toEqual([name, value]);
      }
    },
  );

  test('no code of the contract is left out (RP-106, RP-110, RP-112, RP-118, RP-134)', () => {
    const reached = new Set(cases.map(({ code }) => code));
    // A run that takes its thread down has a test and a process of its own: platform-limits.test.ts.
    reached.add('run_stopped');
    const missing = Object.keys(PLATFORM_ERRORS).filter((code) => !reached.has(code));
    expect(missing).toEqual([]);
  });
});

test('two at once on one task: one answers, the other is told who holds it or that it is over', async () => {
  hold();
  const spec = workflow('human');
  spec.workflow.steps.push({ id: 'after', kind: 'function', ref: 'it' });
  const task = (await run(spec)).body;
  const at = `/v1/human-tasks/${task.continuation_id}`;
  const body = { request_id: (await p.get(at)).body.request.id, decision: 'approved' };
  const first = p.post(`${at}/resume`, body);
  await p.waitFor(task.run_id, 'running');
  const second = await p.post(`${at}/resume`, body);
  expect(second.status).toBe(409);
  expect(second.body.detail).toMatchObject({
    error: 'resource_locked',
    resource: `continuation:${task.continuation_id}`,
  });
  letGo();
  expect((await first).body.status).toBe('completed');
  expect((await p.post(`${at}/resume`, body)).status).toBe(404);
});
