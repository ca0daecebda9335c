import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSpec } from './load-spec.ts';
import { formatOfFile, parseSpecText } from './parse-yaml.ts';
import { validateSpec, validateText } from './validate.ts';

const SPECS = join(import.meta.dirname, '../../test/fixtures/specs');
const expected = JSON.parse(readFileSync(join(SPECS, 'expected.json'), 'utf8'));
const read = (file: string): string => readFileSync(join(SPECS, file), 'utf8');

const shape = (found: readonly { code: string; severity: string; path: string | null }[]) =>
  found.map(({ code, severity, path }) => ({ code, severity, path }));

describe('the samples are valid, with the warnings on record', () => {
  const files = [
    ...new Map(expected.cases.map((one: { file: string }) => [one.file, one])).entries(),
  ];
  test.each(files as [string, { diagnostics: never[]; valid: boolean }][])('%s', (file, one) => {
    const result = validateText(read(file), formatOfFile(file));
    expect(shape(result.diagnostics)).toEqual(shape(one.diagnostics));
    expect(result.valid).toBe(one.valid);
  });
});

const SCHEMA: Record<string, string[]> = {
  'bad-step.yaml': [
    'workflow.steps[0].kind',
    'workflow.steps[1].id',
    'workflow.steps[2].on_error',
    'workflow.steps[2].max_retries',
  ],
  'bad-workflow-type.yaml': ['workflow.type'],
  'missing-agent.yaml': ['agent'],
  'path-escape.yaml': ['mcp_servers.m.ca_bundle', 'skills.s.source'],
  'string-steps.yaml': ['components.workflows.short.steps[0]'],
  'unknown-key.yaml': ['workflow.stepz', 'components.agents.a.systm_prompt'],
  'wrong-types.yaml': [
    'agent.name',
    'agent.model.token_budget',
    'agent.strategy.type',
    'agent.tools.include',
  ],
  'yaml-booleans.yaml': ['workflow.steps[0].id', 'workflow.steps[1].id'],
};

describe('the invalid samples give the findings on record, in order', () => {
  test.each(readdirSync(join(SPECS, 'invalid')))('%s', (file) => {
    const { diagnostics } = validateText(read(`invalid/${file}`), 'yaml');
    const want =
      SCHEMA[file]?.map((path) => ({ code: 'E_SCHEMA', severity: 'error', path })) ??
      expected.invalid[file]?.diagnostics?.map(({ code, severity, path }: never) => ({
        code,
        severity,
        path,
      })) ??
      [];
    if (file === 'bad-version.yaml') {
      expect(shape(diagnostics)).toEqual([
        { code: 'E_VERSION', severity: 'error', path: 'version' },
      ]);
    } else expect(shape(diagnostics)).toEqual(want);
  });
});

test('a date where text is wanted is refused, elsewhere it becomes ISO text', () => {
  const text = 'version: v1\nagent: {name: 2026-01-31}\nmetadata: {due: 2026-01-31}\n';
  const document = parseSpecText(text, 'yaml');
  expect(document.value?.['metadata']).toEqual({ due: '2026-01-31' });
  const { diagnostics } = validateText(text, 'yaml');
  expect(shape(diagnostics)).toEqual([{ code: 'E_SCHEMA', severity: 'error', path: 'agent.name' }]);
  const quoted = loadSpec({ base: { version: 'v1', agent: { name: '2026-01-31' } } });
  expect(quoted.spec && validateSpec(quoted.spec)).toEqual([]);
});
