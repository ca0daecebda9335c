import { expect, test } from 'vitest';
import { overflowFinding } from './overflow.ts';

test('a number that no float holds is told with its place, wherever it stands', () => {
  const steps = [
    { id: 'a', timeout_seconds: 5 },
    { id: 'b', timeout_seconds: JSON.parse('1e400') },
  ];
  const document: unknown = { version: 'v1', agent: null, workflow: { steps } };
  expect(overflowFinding(document)).toMatchObject({
    code: 'E_PARSE',
    severity: 'error',
    path: 'workflow.steps[1].timeout_seconds',
  });
  expect(overflowFinding(JSON.parse('-1e400'))?.path).toBe('');
});

test('numbers that can be kept, and the same one in quotes, are none', () => {
  const limits = { least: -1.5e308, most: 1.5e308, text: '1e400', none: null, on: true };
  expect(overflowFinding({ limits, list: [0, 7, [limits]] })).toBeUndefined();
  expect(overflowFinding('1e400')).toBeUndefined();
});

test('a document of many levels is looked through to its end', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(5_000)}1e400${']'.repeat(5_000)}`);
  expect(overflowFinding(deep)?.path).toBe('[0]'.repeat(5_000));
});
