import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { loadSpec } from '../load/load-spec.ts';
import type { Path } from '../values/path.ts';
import { formatOfFile, parseSpecText } from '../yaml/parse-yaml.ts';
import { checkSchema } from './check-schema.ts';
import { BLOCKS } from './help.ts';
import { lenientBoolean, lenientInteger, lenientNumber } from './scalars.ts';

const ROOT = join(import.meta.dirname, '../../..');
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

test.each<[unknown, number | undefined, number | undefined]>([
  [false, 0, 0],
  ['9007199254740993', undefined, 9007199254740992],
  ['1e999', undefined, undefined],
  [Number.NaN, undefined, undefined],
  ['+3.', undefined, 3],
  ['5.00', 5, 5],
  ['1_000', 1000, 1000],
  ['1__0', undefined, undefined],
  ['1_0.5', undefined, 10.5],
  ['.5', undefined, 0.5],
  [null, undefined, undefined],
])('spec-v1 4: %j read as an integer and as a number', (given, integer, number) => {
  expect([lenientInteger(given), lenientNumber(given)]).toEqual([integer, number]);
});

test.each([['maybe'], [2], [null], [[]]])('spec-v1 4: %j is no boolean', (given) => {
  expect(lenientBoolean(given)).toBeUndefined();
});

test('spec-v1 4: each kind of wrong value is named', () => {
  const messages = ['x', 5, true, [], {}, null].map(
    (workflow) => check({ workflow: { type: workflow as Json } }).diagnostics[0]?.message,
  );
  expect(messages).toEqual(
    ['"x"', 'the number 5', 'the boolean true', 'a list', 'a mapping', 'null'].map(
      (found) =>
        `Expected one of sequential, graph, concurrent, handoff, group-chat, group_chat; found ${found}.`,
    ),
  );
  const long = check({ agent: { name: 'a', ['n'.repeat(70)]: 1 } }).diagnostics[0];
  expect(long?.suggestion).toMatch(/^Remove it/);
});

/** Every constraint of the published schema broken once in a whole document, and where. */
const whole: JsonObject = {
  version: 'v1',
  agent: {
    name: 'a',
    model: { provider: 'p', name: 'm', token_budget: 5, extra: {} },
    strategy: { type: 'react', max_iterations: 3 },
    runtime_preferences: { preferred_mode: 'native', allowed_modes: ['native'] },
    tools: { include: ['t'], permissions: { allow_network: true, allowed_domains: ['x'] } },
    memory: { policy: 'full' },
    guardrails: {},
    skills: [],
    defaults: {},
  },
  workflow: {
    type: 'graph',
    start: 'n',
    nodes: { n: { id: 'n', kind: 'agent', ref: 'x', max_retries: 1 } },
    edges: [{ from: 'n', to: 'n', condition: { type: 'not', condition: { type: 'always' } } }],
  },
  components: {
    agents: { x: { name: 'x' } },
    functions: { f: { implementation: 'm.f', input_schema: {} } },
    humans: { h: { options: ['a'], request_type: 'review', on_timeout: 'fail', context: {} } },
    workflows: {
      s: { type: 'sequential', steps: [{ id: 'a', kind: 'agent', ref: 'x' }] },
      c: { type: 'concurrent', participants: [] },
      h: { type: 'handoff', participants: [], selector: { type: 'sequence', sequence: [] } },
      g: { type: 'group-chat', participants: [], rounds: 2 },
    },
  },
  tools: { t: { description: 'd', parameters: {}, mcp: { server: 'm' } } },
  mcp_servers: { m: { transport: 'stdio', command: 'c', args: [], env: { A: 'b' }, cwd: 'w' } },
  skills: { k: { source: 's' } },
  policies: {},
};

test('spec-v1 4: one broken constraint gives findings at its own path and nowhere else', () => {
  const open =
    /^(?:agent\.(?:memory|guardrails|defaults|model\.extra)|policies|tools\.t\.(?:mcp|parameters)|components\.(?:functions\.f\.input_schema|humans\.h\.context))\./;
  let broken = 0;
  for (const path of paths(whole)) {
    if (path.length === 0) continue;
    const written = path.reduce<string>(
      (text, key) =>
        typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`,
      '',
    );
    if (open.test(written) || written === 'version') continue;
    for (const wrong of [{ nowhere: [] }, [{ nowhere: 1 }], 'no such value', 7.5]) {
      const value = put(whole, path, (holder, key) => {
        holder[key] = wrong as Json;
      });
      const { diagnostics } = loadSpec({ base: value });
      for (const found of diagnostics) {
        expect(found.code).toBe('E_SCHEMA');
        const related =
          found.path?.startsWith(written) ||
          (written.endsWith('.type') && found.path?.startsWith(written.slice(0, -5)));
        expect(related, `${written} ${JSON.stringify(wrong)} ${found.path}`).toBe(true);
      }
      if (diagnostics.length > 0) broken += 1;
    }
  }
  expect(broken).toBeGreaterThan(200);
});
