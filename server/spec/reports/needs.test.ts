import { expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import { loadSpec } from '../load/load-spec.ts';
import type { Spec } from '../schema/spec-types.ts';
import { parseSpecText } from '../yaml/parse-yaml.ts';
import { implementationsOf, namedSecrets, providersOf, specNeeds } from './bundle-needs.ts';
import { blockersAt, namedImplementations, type PortabilityBlocker } from './portability.ts';
import { answeredFor, isAt, replaceableParts } from './replaceable-parts.ts';

function specOf(text: string): Spec {
  const base: JsonObject = parseSpecText(text.replaceAll('@{', '$' + '{'), 'yaml').value ?? {};
  const { spec, diagnostics } = loadSpec({ base });
  if (spec === undefined) throw new TypeError(JSON.stringify(diagnostics));
  return spec;
}

const DESK = specOf(`
version: v1
agent: {name: desk, model: {provider: openai, name: m, extra: {api_key_ref: DESK_KEY}}}
workflow:
  type: graph
  start: read
  nodes:
    read: {id: read, kind: function, ref: read}
    write: {id: write, kind: agent, ref: writer}
    ask: {id: ask, kind: human, ref: lead}
    idle: {id: idle, kind: function, ref: read, enabled: false}
  edges: [{from: read, to: write}, {from: write, to: ask}]
components:
  agents:
    writer: {name: writer, model: {provider: ollama, name: m, extra: {api_key_env: ' WRITER '}}}
    plain: {name: plain}
  functions: {read: {implementation: desk.read}}
  humans: {lead: {description: Fine?}}
tools:
  find: {description: Find., mcp: {server: shelf}}
  send: {description: Send., implementation: mail.send}
mcp_servers:
  shelf:
    transport: stdio
    command: shelf-server
    env: {TOKEN: 'a @{SHELF_TOKEN}'}
    headers: {x: '@{SHELF_TOKEN}'}
    client_key_ref: SHELF_CERT
  unused: {transport: http, url: 'https://a.example', headers: {x: '@{NEVER}'}}
metadata:
  flow: {source: n8n, order: v1, steps: {read: {name: Read mail, type: x, version: 1, parameters: {}}}}
`);

test('what a machine needs to run a spec, by name', () => {
  expect(implementationsOf(DESK)).toEqual(['desk.read', 'mail.send']);
  expect(providersOf(DESK)).toEqual(['ollama', 'openai']);
  expect(namedSecrets(DESK)).toEqual(['DESK_KEY', 'SHELF_CERT', 'SHELF_TOKEN', 'WRITER']);
  expect(specNeeds(DESK)).toEqual({
    secrets: ['DESK_KEY', 'SHELF_CERT', 'SHELF_TOKEN', 'WRITER'],
    credentials: [],
    providers: ['ollama', 'openai'],
    programs: ['shelf-server'],
  });
});

test('a rehearsal may answer for steps and tools, not for people', () => {
  expect(
    replaceableParts(DESK).map(({ kind, key, name, runs }) => [kind, key, name, runs]),
  ).toEqual([
    ['step', 'read', 'Read mail', 'function'],
    ['step', 'write', 'write', 'agent'],
    ['tool', 'find', 'find', 'tool'],
    ['tool', 'send', 'send', 'tool'],
  ]);
  const alone = specOf('{"version": "v1", "agent": {"name": "alone"}}');
  expect(replaceableParts(alone)).toMatchObject([{ kind: 'step', name: 'alone', runs: 'agent' }]);
});

test('a finding counts as answered when all that it belongs to is', () => {
  const given = { by: 'mocked', items: [] };
  const rehearsal = JSON.parse(JSON.stringify({ steps: { read: given }, tools: {} }));
  const answered = answeredFor(DESK, rehearsal);
  expect(answered('components.functions.read.implementation')).toBe(true);
  expect(answered('components.agents.writer')).toBe(false);
  expect(answered('workflow.edges')).toBe(false);
  expect(answered(null)).toBe(false);
  expect(isAt('tools.send', ['tools.sen'])).toBe(false);
});

test('code that a platform offers keeps nothing from travelling', () => {
  const path = 'components.functions.read.implementation';
  const at = (
    spec_ref: string | null,
    code: PortabilityBlocker['code'] = 'filesystem_dependency',
  ) => ({
    code,
    detail: 'd',
    spec_ref,
  });
  const named = namedImplementations([
    { path, capability: 'execute', value: 'desk.read' },
    { path: 'mcp_servers.a.command', capability: 'execute', value: 'x' },
    { path: 'tools.t.implementation', capability: 'execute', value: null },
  ]);
  expect([...named]).toEqual([[path, 'desk.read']]);
  const found = [at(path), at('skills.a.source'), at(path, 'unsupported_transport'), at(null)];
  expect(blockersAt(found, named, new Set(['desk.read']))).toEqual(found.slice(1));
  expect(blockersAt(found, named, new Set())).toEqual(found);
  const [silent] = blockersAt(found, named, null);
  expect(silent?.detail).toContain('did not say which names');
});
