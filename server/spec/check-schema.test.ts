import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../kernel/json.ts';
import { checkSchema } from './check-schema.ts';
import { loadSpec } from './load-spec.ts';
import { formatOfFile, parseSpecText } from './parse-yaml.ts';
import type { Path } from './path.ts';
import { BLOCKS } from './schema/help.ts';

const ROOT = join(import.meta.dirname, '../..');
const SPECS = join(ROOT, 'test/fixtures/specs');
const schema = JSON.parse(readFileSync(join(ROOT, 'resources/spec-v1.schema.json'), 'utf8'));
const validator = new Validator(schema, '2020-12', true);

const samples = readdirSync(SPECS)
  .filter(
    (name) => /\.(yaml|json)$/.test(name) && !['expected.json', 'legacy-v0.yaml'].includes(name),
  )
  .map((name) => ({
    name,
    value: parseSpecText(readFileSync(join(SPECS, name), 'utf8'), formatOfFile(name)).value ?? {},
  }));

function paths(value: Json, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const entries: [string | number, Json][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return [at, ...entries.flatMap(([key, item]) => paths(item, [...at, key]))];
}

function get(value: Json, path: Path): Json {
  return path.reduce<Json>((at, key) => (at as Record<string | number, Json>)[key]!, value);
}

function put(
  document: JsonObject,
  path: Path,
  change: (holder: Record<string | number, Json>, key: string | number) => void,
): JsonObject {
  const copy = structuredClone(document);
  const key = path.at(-1)!;
  change(get(copy, path.slice(0, -1)) as Record<string | number, Json>, key);
  return copy;
}

function* mutants(
  document: JsonObject,
): Generator<{ what: string; path: Path; value: JsonObject }> {
  for (const path of paths(document)) {
    const here = get(document, path);
    if (isObject(here)) {
      const value = structuredClone(document);
      (get(value, path) as JsonObject)['unknown_key'] = 1;
      yield { what: 'unknown key', path, value };
    }
    if (path.length === 0) continue;
    yield {
      what: 'dropped',
      path,
      value: put(document, path, (holder, key) => {
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete holder[key];
      }),
    };
    for (const wrong of [['x'], { x: 1 }, 'x y', null, 12.5]) {
      yield {
        what: JSON.stringify(wrong),
        path,
        value: put(document, path, (holder, key) => {
          holder[key] = wrong as Json;
        }),
      };
    }
  }
}

/** Where the schema is stricter on purpose (spec-v1 4): missing version, guardrails and memory, names. */
const isLooser = (path: Path, what: string): boolean =>
  path[0] === 'version' ||
  path.includes('guardrails') ||
  path.includes('memory') ||
  path.includes('mcp') ||
  (what === 'dropped' && path.length === 0);

test('every mutant of the samples is accepted or refused as the published schema does', () => {
  let count = 0;
  let refused = 0;
  for (const { name, value } of samples) {
    for (const mutant of mutants(value)) {
      if (isLooser(mutant.path, mutant.what)) continue;
      count += 1;
      const ours = loadSpec({ base: mutant.value });
      const theirs = validator.validate(mutant.value).valid;
      if (!theirs) refused += 1;
      const hint = `${name} ${mutant.path.join('.')} ${mutant.what} ${JSON.stringify(ours.diagnostics)}`;
      expect(ours.spec !== undefined, hint).toBe(theirs);
    }
  }
  expect(count).toBeGreaterThan(5000);
  expect(refused).toBeGreaterThan(3000);
});

const agent = { name: 'a' };
const check = (document: JsonObject) => loadSpec({ base: { version: 'v1', agent, ...document } });

describe('scalars are read leniently', () => {
  const model = (fields: JsonObject) =>
    check({ agent: { name: 'a', model: { provider: 'p', name: 'm', ...fields } } });

  test.each([
    ['5', 5],
    [5.0, 5],
    [true, 1],
    [' 7 ', 7],
    ['1_000', 1000],
    ['5.0', 5],
  ])('%j is the integer %d', (given, want) => {
    expect(model({ max_tokens: given as Json }).spec?.agent.model?.max_tokens).toBe(want);
  });
  test.each(['x', 5.5, '5.5', [], {}, '', '1e3'])('%j is no integer', (given) => {
    expect(model({ max_tokens: given as Json }).diagnostics.map(({ path }) => path)).toEqual([
      'agent.model.max_tokens',
    ]);
  });
  test.each([
    ['0.5', 0.5],
    [1, 1],
    [true, 1],
    ['1e-1', 0.1],
  ])('%j is the number %d', (given, want) => {
    expect(model({ temperature: given as Json }).spec?.agent.model?.temperature).toBe(want);
  });
  test.each([
    ['yes', true],
    ['no', false],
    ['On', true],
    ['off', false],
    [1, true],
    [0, false],
    ['TRUE', true],
  ])('%j is %s', (given, want) => {
    const permissions = { allow_shell: given as Json };
    expect(
      check({ agent: { name: 'a', tools: { permissions } } }).spec?.agent.tools?.permissions
        ?.allow_shell,
    ).toBe(want);
  });
  test('text is text only', () => {
    expect(check({ agent: { name: 7 } }).diagnostics[0]?.suggestion).toBe('Put it in quotes: "7".');
    expect(check({ agent: { name: true } }).spec).toBeUndefined();
  });
});

test('shorthand is written out and defaults are filled in', () => {
  const { spec } = check({
    agent: { name: 'a', strategy: 'react', tools: ['t'], model: 'm' },
    workflow: { type: 'sequential', steps: ['x'] },
    tools: { t: { description: 'd', agent: 'x' } },
    components: { agents: { x: { name: 'x' } } },
  });
  expect(spec?.agent).toMatchObject({
    strategy: { type: 'react', max_iterations: null },
    tools: { include: ['t'], exclude: [], permissions: null },
    model: { name: 'm', provider: 'default', extra: {} },
    defaults: {},
  });
  expect(spec?.workflow).toMatchObject({
    steps: [{ id: 'x', kind: 'agent', ref: 'x', enabled: true, on_error: 'fail' }],
  });
});

test('`from_` is another spelling of `from`', () => {
  const step = { id: 'n', kind: 'agent', ref: 'x' };
  const { spec } = check({
    workflow: { type: 'graph', start: 'n', nodes: { n: step }, edges: [{ from_: 'n', to: 'n' }] },
  });
  expect(spec?.workflow).toMatchObject({ edges: [{ from: 'n', to: 'n' }], max_steps: 50 });
});

test('names that YAML reads as other types are refused as names', () => {
  const text =
    'version: v1\nagent: {name: a}\ncomponents:\n  agents:\n    on: {name: x}\n    12: {name: y}\n    "no": {name: z}\n';
  const { value } = parseSpecText(text, 'yaml');
  const found = loadSpec({ base: value ?? {} });
  expect(found.diagnostics.map(({ path }) => path).sort()).toEqual([
    'components.agents.12',
    'components.agents.true',
  ]);
});

test('the help texts cover the fields of the published schema, and no others', () => {
  const blocks: [keyof typeof BLOCKS, string | null][] = [
    ['root', null],
    ['agent', 'agent'],
    ['model', 'model'],
    ['strategy', 'strategy'],
    ['memory', 'memory'],
    ['runtime_preferences', 'runtimePreferences'],
    ['tool_selection', 'toolSelection'],
    ['permissions', 'toolPermissions'],
    ['components', 'components'],
    ['function', 'function'],
    ['human', 'human'],
    ['step', 'step'],
    ['edge', 'edge'],
    ['condition', 'condition'],
    ['selector', 'selector'],
    ['sequential', 'sequentialWorkflow'],
    ['graph', 'graphWorkflow'],
    ['concurrent', 'concurrentWorkflow'],
    ['handoff', 'handoffWorkflow'],
    ['group-chat', 'groupChatWorkflow'],
    ['tool', 'tool'],
    ['skill', 'skill'],
    ['mcp_server', 'mcpServer'],
    ['guardrails', 'guardrails'],
  ];
  for (const [block, name] of blocks) {
    const known = name === null ? schema : schema.$defs[name];
    expect(Object.keys(BLOCKS[block].fields).sort(), block).toEqual(
      Object.keys(known.properties).sort(),
    );
    const required = Object.entries(BLOCKS[block].fields)
      .filter(([, field]) => field.required)
      .map(([key]) => key);
    expect(required.sort(), block).toEqual([...(known.required ?? [])].sort());
  }
});

test('a document that is checked is not changed', () => {
  for (const { value } of samples) {
    const before = JSON.stringify(value);
    loadSpec({ base: value, environment: 'dev', skills: { add: [], disable: [] } });
    expect(JSON.stringify(value)).toBe(before);
    checkSchema(value);
  }
});
