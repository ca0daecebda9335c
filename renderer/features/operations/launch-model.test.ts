import { expect, test } from 'vitest';
import {
  EMPTY_FORM,
  type LaunchForm,
  needsTyping,
  pills,
  placesOf,
  readForm,
  summaryFacts,
} from './launch-model.ts';
import { NO_OPTIONS, optionsLine, readOptions } from './launch-options-model.ts';

const read = (form: Partial<LaunchForm>, environment = '') =>
  readForm({ ...EMPTY_FORM, ...form }, environment, undefined);
const text = (value: string) => read({ text: value });

test('a spec may be pasted as YAML or as JSON; what is none says why', () => {
  expect(text('version: v1\nagent: { name: a }\n')).toEqual({
    body: { check: { spec: { version: 'v1', agent: { name: 'a' } } }, run: {} },
  });
  expect(text(' {"version": "v1"}')).toEqual({
    body: { check: { spec: { version: 'v1' } }, run: {} },
  });
  expect(text('')).toEqual({ problem: undefined });
  expect(text('a: [')).toEqual({ problem: expect.stringMatching(/\w/) });
  expect(text('- a list')).toEqual({ problem: expect.stringMatching(/\w/) });
});

test('a path is sent as it is; an empty one is nothing', () => {
  expect(read({ kind: 'path', path: ' specs/desk.yaml ' }, 'dev')).toEqual({
    body: { check: { spec_path: 'specs/desk.yaml', environment: 'dev' }, run: {} },
  });
  expect(read({ kind: 'path', text: 'version: v1' })).toEqual({ problem: undefined });
});

test('what comes from the studio names its source, and is nothing until it is read', () => {
  const source = { kind: 'draft', project_id: 'p', ref: 'a.yaml', revision: 'r' } as const;
  const form: LaunchForm = { ...EMPTY_FORM, kind: 'draft', project: 'p', draft: 'a.yaml' };
  expect(readForm(form, '', undefined)).toEqual({ problem: undefined });
  expect(readForm(form, '', { text: 'version: v1', source })).toEqual({
    body: { check: { spec: { version: 'v1' }, source }, run: {} },
  });
  expect(readForm(form, '', { text: 'a: [', source })).toEqual({
    problem: expect.stringMatching(/\w/),
  });
});

test('options are sent as the platform takes them; those that stand as usual are not', () => {
  expect(readOptions(NO_OPTIONS)).toEqual({ layers: {}, run: {} });
  const options = {
    overlays: ' eu.yaml \n\n high.yaml',
    overrides: 'agent: { name: front }',
    timeout: '90',
    strict: false,
    addSkills: ['maps'],
    disableSkills: [],
    session: ' desk-7 ',
    metadata: '{"ticket": 7}',
  };
  expect(readOptions(options)).toEqual({
    layers: { overlays: ['eu.yaml', 'high.yaml'], overrides: { agent: { name: 'front' } } },
    run: {
      skills: { add: ['maps'], disable: [] },
      session_id: 'desk-7',
      metadata: { ticket: 7 },
      strict: false,
      timeout: 90,
    },
  });
  expect(optionsLine(options)).toBe(
    'overlays, overrides, timeout 90 s, not strict, skills, session desk-7, metadata',
  );
  expect(optionsLine(NO_OPTIONS)).toBe('');
});

test('an option that cannot be sent says why, and nothing is checked', () => {
  const broken = { ...NO_OPTIONS, overrides: 'a: [', timeout: '-1', metadata: 'authoring: {}' };
  expect(readOptions(broken)).toEqual({
    problems: {
      overrides: expect.stringMatching(/\w/),
      timeout: expect.stringContaining('above 0'),
      metadata: expect.stringContaining('authoring'),
    },
  });
  expect(read({ text: 'version: v1', options: broken })).toEqual({ problem: undefined });
  expect(readOptions({ ...NO_OPTIONS, timeout: '1e999' })).toHaveProperty('problems.timeout');
});

test('a finding is found in the text; a place that is not there is the nearest above it', () => {
  const place = placesOf('version: v1\nagent:\n  name: a\n  model: 3\n');
  expect(place('agent.model')).toMatchObject({ line: 4 });
  expect(place('$.agent.model')).toMatchObject({ line: 4 });
  expect(place('agent.model.name')).toMatchObject({ line: 4 });
  expect(place('agent.tools.0')).toMatchObject({ line: 2 });
  expect(place('$')).toBeUndefined();
  expect(place(undefined)).toBeUndefined();
  expect(placesOf('{"version": "v1",\n"agent": 3}')('agent')).toMatchObject({ line: 2 });
});

test('the name is typed again where it is marked as production, or not known (OD-054)', () => {
  const known = [
    { name: 'live', production: true },
    { name: 'dev', production: false },
  ];
  expect(needsTyping('live', known)).toBe(true);
  expect(needsTyping('dev', known)).toBe(false);
  expect(needsTyping('', known)).toBe(false);
  expect(needsTyping('', undefined)).toBe(false);
  expect(needsTyping('dev', undefined)).toBe(true);
  expect(needsTyping('prod', [])).toBe(true);
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
