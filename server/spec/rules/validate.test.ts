import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { loadSpec } from '../load/load-spec.ts';
import { markPlaces, nonTextPlaces } from '../values/non-text.ts';
import { formatOfFile, parseSpecText } from '../yaml/parse-yaml.ts';
import { validateSpec, validateText } from './validate.ts';

const SPECS = join(import.meta.dirname, '../../../test/fixtures/specs');
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

/** The text of each finding's range, after its code. */
const marked = (text: string): string[] =>
  validateText(text, 'yaml').diagnostics.map(
    ({ code, range }) => `${code} ${text.slice(range.start.offset, range.end.offset)}`,
  );

describe('spec-v1 2: findings of an older document stand where its author wrote them', () => {
  test('in parts that the migration moves', () => {
    const text = `root_agent: {name: r, tools: [nope]}
component_agents:
  a: {name: a, skills: [gone]}
humans:
  h: {request_type: selection}
root_workflow:
  - {id: s, kind: agent, ref: missing}
component_workflows:
  w: [{id: t, kind: human, ref: nobody}]
`;
    expect(marked(text)).toEqual([
      'E_STEP_AGENT_REF missing',
      'E_STEP_HUMAN_REF nobody',
      'E_TOOL_REF tools',
      'E_SKILL_REF skills',
      'W_TOOL_POLICY_UNRESTRICTED tools',
      'E_HUMAN_SELECTION_REQUIRES_OPTIONS h',
    ]);
  });

  test('in the shape of a step, and in parts that stand at their new place already', () => {
    expect(marked('agent: {name: r}\nworkflow: [{id: 1, kind: agent, ref: x}]\n')).toEqual([
      'E_SCHEMA 1',
    ]);
    expect(marked('root_agent: {name: 1}\ncomponents: {agents: {a: {name: 2}}}\n')).toEqual([
      'E_SCHEMA 1',
      'E_SCHEMA 2',
    ]);
  });
});

describe('spec-v1 1: what is not text is refused where text is wanted', () => {
  test.each<[string, string, string[]]>([
    [
      'a date in a map of texts',
      'mcp_servers: {m: {transport: stdio, command: c, env: {a.b: 2026-01-31, b: x}}}',
      ['mcp_servers.m.env.a.b'],
    ],
    [
      'a date in a list of texts',
      'agent: {name: r, skills: [a, 2026-01-31]}\nskills: {a: {source: a}}',
      ['agent.skills[1]'],
    ],
    ['a date as a path', 'skills: {a: {source: 2026-01-31}}', ['skills.a.source']],
    ['a number as the name of an open block', 'metadata: {1: x, ok: {2: y}}', ['metadata.1']],
    [
      'a boolean as the name in a context',
      'components: {humans: {h: {context: {on: x}}}}',
      ['components.humans.h.context.true'],
    ],
    [
      'a date as the name of a component',
      'tools: {2026-01-31: {description: d, agent: a}}',
      ['tools.2026-01-31'],
    ],
  ])('%s', (_, lines, paths) => {
    const agent = lines.includes('agent: {name') ? '' : 'agent: {name: r}\n';
    const { diagnostics } = validateText(`version: v1\n${agent}${lines}\n`, 'yaml', {
      environment: 'prod',
    });
    expect(shape(diagnostics)).toEqual(
      paths.map((path) => ({ code: 'E_SCHEMA', severity: 'error', path })),
    );
  });
});

test('aliases of empty mappings cannot make a document endless', () => {
  const rows = Array.from({ length: 60 }, (_, i) => `x${i + 1}: &x${i + 1} {<<: [*x${i}, *x${i}]}`);
  const text = ['x0: &x0 {}', ...rows, 'y:', '  <<: *x60', '  z: 1'].join('\n');
  const { diagnostics, document } = validateText(text, 'yaml');
  expect(diagnostics.map(({ code }) => code)).toEqual(['E_PARSE']);
  expect(document.source.find('y.z')?.path).toEqual(['y', 'z']);
  expect(document.source.find('y.nothing')).toBeUndefined();
});

test('spec-v1 7: a skills overlay that adds what is not declared is a finding of the editor', () => {
  const text = 'version: v1\nagent: {name: a, skills: [s]}\nskills: {s: {source: s}}\n';
  const check = (add: string[], disable: string[]) =>
    validateText(text, 'yaml', { skills: { add, disable } });
  expect(shape(check(['t'], []).diagnostics)).toEqual([
    { code: 'E_SKILL_REF', severity: 'error', path: 'agent.skills' },
  ]);
  expect(check(['s'], ['t']).spec?.agent.skills).toEqual(['s']);
  expect(check([], ['s']).spec?.agent.skills).toEqual([]);
});

test('spec-v1 22: findings of another layer stand at their nearest ancestor', () => {
  const text = 'version: v1\nagent:\n  name: a\n';
  const overlays = [{ agent: { model: { name: 'm' } } }, { workflow: { type: 'none' } }];
  const { diagnostics } = validateText(text, 'yaml', { overlays });
  const at = diagnostics.map(({ path, range }) => [
    path,
    text.slice(range.start.offset, range.end.offset),
  ]);
  expect(at).toEqual([
    ['agent.model.provider', 'agent'],
    ['workflow.type', text.trimEnd()],
  ]);
});

test('spec-v1 1, freeze: what was not text is refused after a way through JSON as well', () => {
  const text = `version: v1
agent: {name: a, skills: [2026-01-31]}
components: {agents: {on: {name: 2026-01-31}}}
skills: {"2026-01-31": {source: s}}
`;
  const { value = {} } = parseSpecText(text, 'yaml');
  const places = nonTextPlaces(value);
  expect(places).toEqual({
    values: [
      ['agent', 'skills', 0],
      ['components', 'agents', 'true', 'name'],
    ],
    keys: [['components', 'agents', 'true']],
  });
  const frozen: { base: JsonObject; places: unknown } = JSON.parse(
    JSON.stringify({ base: value, places }),
  );
  expect(loadSpec({ base: frozen.base }).diagnostics).toEqual([]);
  markPlaces(frozen.base, frozen.places);
  expect(loadSpec({ base: frozen.base }).diagnostics).toEqual(
    loadSpec({ base: value }).diagnostics,
  );
  expect(loadSpec({ base: value }).diagnostics).toHaveLength(3);
  expect(nonTextPlaces(frozen.base)).toEqual(places);
  for (const odd of [
    null,
    { values: 5, keys: [[], 5, ['x', 'y'], ['version', 'z'], ['nothing']] },
  ]) {
    markPlaces(frozen.base, odd);
  }
  expect(nonTextPlaces(frozen.base)).toEqual(places);
  expect(nonTextPlaces({ a: ['b'] })).toBeUndefined();
});

test('a key that is written again, or over a merged one, is what it is written as last', () => {
  const text = `version: v1
agent: {name: 2026-01-31, name: a}
tools:
  base: &base {description: 2026-01-31, agent: x}
  over: {<<: *base, description: d}
  twice: {description: d, description: 2026-01-31, agent: x}
`;
  expect(validateText(text, 'yaml').diagnostics.map(({ path }) => path)).toEqual([
    'tools.base.description',
    'tools.twice.description',
  ]);
});

test('aliases cannot nest a document deeper than it may be', () => {
  const deep = (inner: string): string => `${'['.repeat(150)}${inner}${']'.repeat(150)}`;
  const rows = Array.from({ length: 200 }, (_, i) => `x${i + 1}: &x${i + 1} ${deep(`*x${i}`)}`);
  const merges = Array.from({ length: 5000 }, (_, i) => `y${i + 1}: &y${i + 1} {<<: *y${i}}`);
  for (const text of [
    ['x0: &x0 []', ...rows],
    ['y0: &y0 {}', ...merges],
  ]) {
    const { diagnostics } = validateText(text.join('\n'), 'yaml');
    expect(diagnostics.map(({ code }) => code)).toEqual(['E_PARSE']);
  }
});
