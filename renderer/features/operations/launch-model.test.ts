import { expect, test } from 'vitest';
import { NO_SOURCE, pills, specBody, summaryFacts } from './launch-model.ts';

const text = (value: string) => specBody({ ...NO_SOURCE, text: value });

test('a spec may be pasted as YAML or as JSON; what is none says why', () => {
  expect(text('version: v1\nagent: { name: a }\n')).toEqual({
    body: { spec: { version: 'v1', agent: { name: 'a' } } },
  });
  expect(text(' {"version": "v1"}')).toEqual({ body: { spec: { version: 'v1' } } });
  expect(text('')).toEqual({ problem: undefined });
  expect(text('a: [')).toEqual({ problem: expect.stringMatching(/\w/) });
  expect(text('- a list')).toEqual({ problem: expect.stringMatching(/\w/) });
});

test('a path is sent as it is; an empty one is nothing', () => {
  expect(specBody({ ...NO_SOURCE, kind: 'path', path: ' specs/desk.yaml ' })).toEqual({
    body: { spec_path: 'specs/desk.yaml' },
  });
  expect(specBody({ ...NO_SOURCE, kind: 'path', text: 'version: v1' })).toEqual({
    problem: undefined,
  });
});

test('a verdict answers three questions; a summary is told by its plain facts (OD-054)', () => {
  const verdict = { valid: true, compiled: false, policy_ok: true, ready: false };
  const told = pills({ ...verdict, diagnostics: [], blocking: [] });
  expect(told.map(({ id, ok }) => [id, ok])).toEqual([
    ['valid', true],
    ['compiled', false],
    ['policy', true],
  ]);
  expect(summaryFacts({ agent_count: 2, name: 'desk', empty: '', list: [1], none: null })).toEqual([
    ['agent count', '2'],
    ['name', 'desk'],
  ]);
});
