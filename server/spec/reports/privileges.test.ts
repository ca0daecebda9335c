import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { parseSpecText } from '../yaml/parse-yaml.ts';
import { findPortabilityBlockers } from './portability.ts';
import { regexPaths } from './privilege-schemas.ts';
import { type CapabilityRules, scanCapabilities } from './privileges.ts';

const strict: CapabilityRules = {
  policy: 'strict',
  registry: { runner: 'python', args: ['-m', 'x'] },
  secretNamespace: 'team',
  hostAllowlist: ['api.example'],
  egressEnforced: true,
};
const local: CapabilityRules = { ...strict, policy: 'local' };
const base = { version: 'v1', agent: { name: 'a', model: { provider: 'dummy', name: 'd' } } };

function refusals(document: JsonObject, rules = strict): string[] {
  const scan = scanCapabilities(document, rules);
  if (scan.outcome !== 'refused') return [];
  return scan.findings.map((finding) => `${finding.path} ${finding.capability}`);
}

test.each<[string, JsonObject, string[], string[]]>([
  [
    'code',
    { tools: { t: { description: 'd', implementation: 'm.f' } } },
    ['tools.t.implementation execute'],
    [],
  ],
  [
    'a secret',
    { agent: { name: 'a', model: { provider: 'p', name: 'n', extra: { api_key: 'k' } } } },
    ['agent.model.extra.api_key secret'],
    ['agent.model.extra.api_key secret'],
  ],
  [
    'a header',
    {
      mcp_servers: { m: { transport: 'http', url: 'https://api.example/x', headers: { A: 'b' } } },
    },
    ['mcp_servers.m.headers.A secret'],
    ['mcp_servers.m.headers.A secret'],
  ],
  [
    'a user in an address',
    { mcp_servers: { m: { transport: 'http', url: 'https://u:p@api.example' } } },
    ['mcp_servers.m.url secret'],
    ['mcp_servers.m.url secret'],
  ],
  [
    'an unlisted host',
    { mcp_servers: { m: { transport: 'http', url: 'https://evil.example' } } },
    ['mcp_servers.m.url network'],
    [],
  ],
  [
    'a host permission',
    {
      agent: {
        name: 'a',
        tools: { include: [], permissions: { allow_shell: true, allowed_domains: ['x'] } },
      },
    },
    [
      'agent.tools.permissions.allow_shell host_permission',
      'agent.tools.permissions.allowed_domains[0] host_permission',
    ],
    [],
  ],
  ['a file', { skills: { s: { source: 'skills/s' } } }, ['skills.s.source filesystem'], []],
  [
    'an unverified server',
    { mcp_servers: { m: { transport: 'http', url: 'https://api.example', verify: false } } },
    ['mcp_servers.m.verify host_trust'],
    [],
  ],
  [
    'a secret reference',
    { mcp_servers: { m: { transport: 'http', client_key_ref: 'other/x' } } },
    ['mcp_servers.m.client_key_ref secret_ref'],
    [],
  ],
  [
    'a free-form leaf',
    { agent: { name: 'a', memory: { policy: 'full', max: 1 } }, policies: {} },
    ['agent.memory.max unclassified', 'policies unclassified'],
    [],
  ],
  [
    'an unknown key',
    { agent: { name: 'a', nick: 'b' }, extra: 1 },
    ['agent.nick unclassified', 'extra unclassified'],
    ['agent.nick unclassified', 'extra unclassified'],
  ],
  [
    'a schema reference',
    { tools: { t: { description: 'd', parameters: { properties: { a: { $ref: '#/x' } } } } } },
    ['tools.t.parameters.properties.a.$ref schema'],
    ['tools.t.parameters.properties.a.$ref schema'],
  ],
  [
    'an endless pattern',
    { tools: { t: { description: 'd', parameters: { pattern: 'a+' } } } },
    ['tools.t.parameters.pattern schema'],
    ['tools.t.parameters.pattern schema'],
  ],
])('%s is refused as the binding says', (_name, part, underStrict, underLocal) => {
  expect(refusals({ ...base, ...part })).toEqual(underStrict);
  expect(refusals({ ...base, ...part }, local)).toEqual(underLocal);
});

test('what the binding allows passes', () => {
  const document = {
    ...base,
    metadata: { anything: { at: ['all'] } },
    mcp_servers: {
      m: {
        transport: 'http',
        url: 'https://API.example:443/x',
        client_key_ref: 'team/key',
        headers: {},
      },
    },
    tools: {
      t: {
        description: 'd',
        parameters: {
          type: 'object',
          properties: { q: { type: 'string', pattern: '^(a|b){1,3}$' } },
        },
      },
    },
  };
  expect(scanCapabilities(document, strict)).toMatchObject({ outcome: 'passed', document });
});

test('annotations of an importer in a schema are data, other unknown keywords are not', () => {
  const schema = { 'x-source-type': 'n8n.http', 'x-source-parameters': { $ref: 'anything' } };
  const component = (input_schema: JsonObject): JsonObject => ({
    ...base,
    components: { functions: { f: { implementation: 'm.f', input_schema } } },
  });
  expect(refusals(component(schema), local)).toEqual([]);
  expect(refusals(component({ odd: 1 }), local)).toEqual([
    'components.functions.f.input_schema.odd schema',
  ]);
});

test('registry references are replaced where code is named, and only by plain values', () => {
  const server = {
    transport: 'stdio',
    command: { $registry: 'runner' },
    args: { $registry: 'args' },
  };
  const scan = scanCapabilities({ ...base, mcp_servers: { m: server } }, strict);
  expect(scan).toMatchObject({
    outcome: 'passed',
    document: { mcp_servers: { m: { command: 'python', args: ['-m', 'x'] } } },
    registryPaths: ['mcp_servers.m.args', 'mcp_servers.m.command'],
  });
  const unknown = { ...base, mcp_servers: { m: { ...server, command: { $registry: 'gone' } } } };
  expect(scanCapabilities(unknown, strict)).toMatchObject({
    outcome: 'refused',
    stage: 'expansion',
  });
});

test('a document over the scan budget is not scanned', () => {
  let deep: JsonObject = {};
  for (let i = 0; i < 70; i += 1) deep = { a: deep };
  expect(scanCapabilities({ metadata: deep }, strict).outcome).toBe('too_complex');
  const wide = { metadata: { list: Array.from({ length: 50_001 }, () => 1) } };
  expect(scanCapabilities(wide, strict).outcome).toBe('too_complex');
});

test('paths of a pattern are counted', () => {
  expect(regexPaths('^abc$')).toBe(1);
  expect(regexPaths('(a|b|c){2}')).toBe(9);
  expect(regexPaths('a?b?')).toBe(4);
  expect(regexPaths('[*+]\\*{1,3}')).toBe(3);
  expect(regexPaths('(a*|b)')).toBe(Number.POSITIVE_INFINITY);
  expect(regexPaths('a{2,}')).toBe(Number.POSITIVE_INFINITY);
});

test('what passed under local is named as a portability blocker', () => {
  const document: JsonObject = {
    ...base,
    tools: { t: { description: 'd', implementation: 'm.f' } },
    skills: { s: { source: 'skills/s.yaml' } },
    mcp_servers: { m: { transport: 'stdio', command: 'run' } },
  };
  const scan = scanCapabilities(document, local);
  if (scan.outcome !== 'passed') throw new Error('refused');
  const blockers = findPortabilityBlockers({
    ...scan,
    transport: 'remote',
    isInsideTree: () => true,
  });
  expect(blockers.map((item) => `${item.code} ${item.spec_ref}`)).toEqual([
    'filesystem_dependency skills.s.source',
    'filesystem_dependency tools.t.implementation',
    'spec_path_reference skills.s.source',
    'unsupported_transport mcp_servers.m.transport',
  ]);
});

test('no position of a valid sample is unknown to the scan', () => {
  const folder = new URL('../../../test/fixtures/specs/', import.meta.url);
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    const { value } = parseSpecText(readFileSync(new URL(file, folder), 'utf8'), 'yaml');
    if (value === undefined || value['version'] !== 'v1') continue;
    const unknown = refusals(value, local).filter((item) => item.endsWith('unclassified'));
    expect(unknown, file).toEqual([]);
  }
});

test.each<[string, JsonObject, string[]]>([
  ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, ['$schema']],
  ['the dialect', { $schema: 'https://json-schema.org/draft/2020-12/schema' }, []],
  ['a dialect that is no text', { $schema: 7 }, ['$schema']],
  ['a pattern that is no text', { pattern: 7 }, ['pattern']],
  ['a pattern with a class and an escape', { pattern: '^[a\\]]\\d{3}$' }, []],
  ['a pattern with too many paths', { pattern: '(?:a|b|c){9}' }, ['pattern']],
  [
    'names by a pattern',
    { patternProperties: { 'x*': { pattern: 'y+' } } },
    ['patternProperties.x*', 'patternProperties.x*.pattern'],
  ],
  [
    'schemas in lists and in keywords',
    { anyOf: [{ $ref: '#' }, true], items: { not: { odd: 1 } } },
    ['anyOf[0].$ref', 'items.not.odd'],
  ],
  ['shapes that hold no schema', { properties: 5, allOf: 5, if: true }, []],
])('studio.md 9.2: a schema with %s', (_, parameters, wanted) => {
  const document = { ...base, tools: { t: { description: 'd', parameters } } };
  expect(refusals(document)).toEqual(wanted.map((path) => `tools.t.parameters.${path} schema`));
});

test.each<[string, JsonObject, string[]]>([
  [
    'a mapping where a value is wanted',
    { agent: { name: { a: 1 } } },
    ['agent.name.a unclassified'],
  ],
  [
    'a list of mappings where a value is wanted',
    { agent: { name: [{ a: 1 }] } },
    ['agent.name[0].a unclassified'],
  ],
  [
    'a value where a mapping is wanted',
    { agent: 5, tools: [{ x: 1 }] },
    ['tools[0].x unclassified'],
  ],
  [
    'a value where a list is wanted',
    { workflow: { steps: { a: 1 } } },
    ['workflow.steps.a unclassified'],
  ],
  ['a value where a free-form block is wanted', { policies: 5 }, ['policies unclassified']],
  [
    'leaves of a free-form block',
    { policies: { a: [1, { b: null, c: 2 }], d: null } },
    ['policies.a[0] unclassified', 'policies.a[1].c unclassified'],
  ],
  ['nulls', { agent: null, mcp_servers: { m: { command: null, headers: null } } }, []],
  [
    'empty values',
    {
      tools: { t: { implementation: '' } },
      skills: { s: { source: '' } },
      mcp_servers: { m: { headers: { A: '' } } },
    },
    [],
  ],
  [
    'nested code',
    { mcp_servers: { m: { args: ['a', { b: 'c' }], env: { D: 'e' } } } },
    [
      'mcp_servers.m.args[0] execute',
      'mcp_servers.m.args[1].b execute',
      'mcp_servers.m.env.D execute',
    ],
  ],
  [
    'an address that is no text',
    { mcp_servers: { m: { url: 5, verify: true } } },
    ['mcp_servers.m.url network'],
  ],
])('studio.md 9.2: %s', (_, document, wanted) => {
  expect(refusals(document)).toEqual(wanted);
});

test('studio.md 9.3: what keeps a spec from travelling, by code, then by path (AS-069, AS-070, AS-071, AS-072, AS-073)', () => {
  const blockers = (document: JsonObject, transport: 'remote' | 'shared_filesystem') =>
    findPortabilityBlockers({
      document,
      positions: [
        { path: 'skills.b.source', capability: 'filesystem', value: 'b' },
        { path: 'skills.a.source', capability: 'filesystem', value: 'a' },
        { path: 'tools.t.implementation', capability: 'execute', value: 'm.f' },
        { path: 'mcp_servers.m.command', capability: 'execute', value: 'x' },
        { path: 'mcp_servers.m.verify', capability: 'host_trust', value: false },
        { path: 'skills.c.source', capability: 'filesystem', value: '' },
      ],
      registryPaths: ['mcp_servers.m.command'],
      transport,
      isInsideTree: (text) => !text.startsWith('/'),
    }).map(({ code, spec_ref }) => `${code} ${spec_ref}`);
  const document = {
    metadata: { list: [{ ref: 'other.yaml' }, { ref: '/far.yaml', source: 'plain' }] },
    mcp_servers: { m: { transport: 'stdio' }, n: 5, o: { transport: 'http' } },
  };
  expect(blockers(document, 'shared_filesystem')).toEqual([
    'registry_reference mcp_servers.m.command',
    'filesystem_dependency skills.a.source',
    'filesystem_dependency skills.b.source',
    'filesystem_dependency tools.t.implementation',
    'spec_path_reference metadata.list[0].ref',
    'unsupported_transport null',
    'unsupported_transport mcp_servers.m.transport',
  ]);
  expect(blockers({ mcp_servers: 5 }, 'remote')).toHaveLength(4);
});
