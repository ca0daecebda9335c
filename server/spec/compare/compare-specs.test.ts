import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { loadSpec } from '../load/load-spec.ts';
import type { Spec } from '../schema/spec-types.ts';
import { emitYaml } from '../yaml/emit-yaml.ts';
import { formatOfFile, parseSpecText } from '../yaml/parse-yaml.ts';
import { compareSpecs } from './compare-specs.ts';
import { membersOf } from './workflow-parts.ts';

const FOLDER = join(import.meta.dirname, '../../../test/fixtures/specs');

function specOf(document: JsonObject): Spec {
  const { spec, diagnostics } = loadSpec({ base: document });
  if (spec === undefined) throw new TypeError(JSON.stringify(diagnostics));
  return spec;
}

function documentOf(text: string, name = 'spec.yaml'): JsonObject {
  const { value } = parseSpecText(text, formatOfFile(name));
  if (value === undefined) throw new TypeError(`${name} is no document`);
  return value;
}

const samples = readdirSync(FOLDER)
  .filter((name) => /\.(yaml|json)$/.test(name) && name !== 'expected.json')
  .map((name) => ({ name, document: documentOf(readFileSync(join(FOLDER, name), 'utf8'), name) }))
  .filter(({ document }) => loadSpec({ base: document }).spec !== undefined);

const BASE = documentOf(`
version: v1
agent: {name: desk}
workflow:
  type: graph
  start: sort
  nodes:
    sort: {id: sort, kind: agent, ref: sorter}
    ask: {id: ask, kind: human, ref: lead}
    reply: {id: reply, kind: agent, ref: writer}
  edges:
    - {from: sort, to: ask, condition: {type: output_contains, value: refund}}
    - {from: sort, to: reply}
    - {from: ask, to: reply}
components:
  agents:
    sorter: {name: sorter, model: {provider: dummy, name: small}}
    writer:
      name: writer
      tools: {include: [search], permissions: {allow_network: true, allowed_domains: [example.com]}}
      guardrails: {output: [{id: polite, type: keyword, action: block, config: {keywords: [damn]}}]}
  humans:
    lead: {description: Fine?}
tools:
  search: {description: Find., implementation: web.search}
  delete: {description: Delete., implementation: web.delete}
`);

/** The base with one thing written otherwise. */
function changed(path: readonly (string | number)[], value: Json | undefined): JsonObject {
  const copy: Json = structuredClone(BASE);
  let at: Json = copy;
  for (const key of path.slice(0, -1)) {
    const next: Json | undefined = Array.isArray(at)
      ? at[Number(key)]
      : isJsonObject(at)
        ? at[key]
        : undefined;
    if (next === undefined) throw new TypeError(`nothing at ${path.join('.')}`);
    at = next;
  }
  const last = path.at(-1) ?? '';
  if (Array.isArray(at)) {
    if (value === undefined) at.splice(Number(last), 1);
    else at[Number(last)] = value;
  } else if (isJsonObject(at)) {
    if (value === undefined) delete at[last];
    else at[last] = value;
  }
  return copy;
}

function told(later: JsonObject): string[] {
  return compareSpecs(specOf(BASE), specOf(later)).changes.map(({ text, privilege }) =>
    privilege === null ? text : `${privilege}: ${text}`,
  );
}

/** Other code and other addresses: it cannot be told from the text which of two gives more. */
const BOTH_WAYS = /provider is|url is|source is/;

function at(document: JsonObject, ...path: readonly string[]): JsonObject {
  return path.reduce((holder, key) => membersOf(holder[key]), document);
}

const WRITER = ['components', 'agents', 'writer'] as const;

describe('changes are told in the terms of the language', () => {
  const model = 'agent "sorter": model.name is "large", was "small"';
  test.each<[string, readonly (string | number)[], Json | undefined, string[]]>([
    ['a model', ['components', 'agents', 'sorter', 'model', 'name'], 'large', [model]],
    [
      'an address of a provider',
      ['components', 'agents', 'sorter', 'model', 'extra'],
      { base_url: 'http://example.com' },
      ['gained: agent "sorter": model.extra.base_url is "http://example.com", was nothing'],
    ],
    [
      'a tool that is granted',
      [...WRITER, 'tools', 'include'],
      ['search', 'delete'],
      ['gained: agent "writer" may call "delete"'],
    ],
    [
      'a tool that is taken away',
      [...WRITER, 'tools', 'include'],
      [],
      ['lost: agent "writer" may no longer call "search"'],
    ],
    [
      'a list of domains that goes',
      [...WRITER, 'tools', 'permissions', 'allowed_domains'],
      undefined,
      ['gained: agent "writer" may no longer reach "example.com"'],
    ],
    [
      'an edge condition',
      ['workflow', 'edges', 0, 'condition', 'value'],
      'money',
      ['edge "sort → ask": condition.value is "money", was "refund"'],
    ],
    [
      'a guardrail that only warns',
      [...WRITER, 'guardrails', 'output', 0, 'action'],
      'warn',
      ['gained: output guardrail "polite" of agent "writer": action is "warn", was "block"'],
    ],
    [
      'a guardrail that goes',
      [...WRITER, 'guardrails', 'output', 0],
      undefined,
      ['gained: output guardrail "polite" of agent "writer" was removed'],
    ],
    [
      'a person who is switched off',
      ['workflow', 'nodes', 'ask', 'enabled'],
      false,
      ['gained: human step "ask": enabled is false, was true'],
    ],
    [
      'other code behind a tool',
      ['tools', 'search', 'implementation'],
      'web.other',
      ['gained: tool "search": implementation is "web.other", was "web.search"'],
    ],
  ])('%s', (_name, path, value, expected) => {
    expect(told(changed(path, value))).toEqual(expected);
  });

  test('a person who is taken out of the way comes first', () => {
    const later = changed(['workflow', 'nodes', 'ask'], undefined);
    membersOf(later['workflow'])['edges'] = [{ from: 'sort', to: 'reply' }];
    expect(told(later)).toEqual([
      'gained: human step "ask" was removed',
      'edge "sort → ask" was removed',
      'edge "ask → reply" was removed',
    ]);
  });

  test('an edge that is tried before another has moved', () => {
    const edges = membersOf(BASE['workflow'])['edges'];
    const [first, second, third] = Array.isArray(edges) ? edges : [];
    const later = changed(['workflow', 'edges'], [second ?? null, first ?? null, third ?? null]);
    expect(told(later)).toHaveLength(1);
    expect(told(later)[0]).toMatch(/^edge "sort → (ask|reply)" was moved$/);
  });

  test('a part that got another name is one change, wherever it is named', () => {
    const text = emitYaml(BASE).replaceAll('writer', 'author');
    const { changes, sameBehaviour } = compareSpecs(specOf(BASE), specOf(documentOf(text)));
    expect(changes.map((change) => change.text)).toEqual(['agent "author" was called "writer"']);
    expect(sameBehaviour).toBe(true);
  });

  test('a node that got another key is one change, with its edges', () => {
    const text = emitYaml(BASE).replaceAll('reply', 'answer');
    const { changes } = compareSpecs(specOf(BASE), specOf(documentOf(text)));
    expect(changes.map((change) => change.text)).toEqual(['step "answer" was called "reply"']);
  });

  test('settings of an imported step are told with the step', () => {
    const flow = (url: string) => ({
      ...BASE,
      metadata: { owner: 'desk', flow: { steps: { fetch: { parameters: { url } } } } },
    });
    const { changes, sameBehaviour } = compareSpecs(specOf(flow('a')), specOf(flow('b')));
    expect(changes.map((change) => change.text)).toEqual([
      'step "fetch": parameters.url is "b", was "a"',
    ]);
    expect(sameBehaviour).toBe(false);
  });

  test('notes and labels are no change in behaviour', () => {
    const later = { ...BASE, policies: { retention: 3 } };
    const { changes, sameBehaviour } = compareSpecs(specOf(BASE), specOf(later));
    expect(changes).toHaveLength(1);
    expect(sameBehaviour).toBe(true);
  });
});

const WEIGHED = documentOf(`
version: v1
agent:
  name: desk
  skills: [house]
  tools: {include: [t], exclude: [u], permissions: {allow_shell: false, denied_domains: [a.example]}}
  guardrails: {input: [{id: g, type: regex, action: block, config: {patterns: [x, y]}}]}
  strategy: {type: react, max_iterations: 5}
  model: {provider: dummy, name: m, token_budget: 100}
tools:
  t: {description: T., implementation: a.b}
  u: {description: U., implementation: a.c}
mcp_servers:
  m: {transport: http, url: 'https://a.example', verify: true, headers: {x: y}}
skills:
  house: {source: skills/house}
  other: {source: skills/other}
components:
  humans: {h: {description: 'A?', on_timeout: fail}}
`);

describe('what gives more and what gives less', () => {
  test.each<[string, (document: JsonObject) => void, string]>([
    ['a skill more', (d) => (at(d, 'agent')['skills'] = ['house', 'other']), 'gained'],
    ['a skill less', (d) => (at(d, 'agent')['skills'] = []), 'lost'],
    ['a tool kept out no more', (d) => (at(d, 'agent', 'tools')['exclude'] = []), 'gained'],
    ['no permissions at all', (d) => delete at(d, 'agent', 'tools')['permissions'], 'gained'],
    ['a shell', (d) => (at(d, 'agent', 'tools', 'permissions')['allow_shell'] = true), 'gained'],
    [
      'a domain that was kept out',
      (d) => (at(d, 'agent', 'tools', 'permissions')['denied_domains'] = []),
      'gained',
    ],
    [
      'only some domains',
      (d) => (at(d, 'agent', 'tools', 'permissions')['allowed_domains'] = ['b.example']),
      'lost',
    ],
    ['no guardrails', (d) => delete at(d, 'agent')['guardrails'], 'gained'],
    ['no tools', (d) => delete at(d, 'agent')['tools'], 'lost'],
    ['more rounds', (d) => (at(d, 'agent', 'strategy')['max_iterations'] = 50), 'gained'],
    ['fewer rounds', (d) => (at(d, 'agent', 'strategy')['max_iterations'] = 2), 'lost'],
    ['no budget', (d) => delete at(d, 'agent', 'model')['token_budget'], 'gained'],
    ['another provider', (d) => (at(d, 'agent', 'model')['provider'] = 'openai'), 'gained'],
    ['certificates unchecked', (d) => (at(d, 'mcp_servers', 'm')['verify'] = false), 'gained'],
    ['another server', (d) => (at(d, 'mcp_servers', 'm')['url'] = 'https://b.example'), 'gained'],
    ['a server less', (d) => delete at(d, 'mcp_servers')['m'], 'lost'],
    ['other instructions', (d) => (at(d, 'skills', 'house')['source'] = 'skills/x'), 'gained'],
    [
      'a person who is not waited for',
      (d) => (at(d, 'components', 'humans', 'h')['on_timeout'] = 'continue'),
      'gained',
    ],
  ])('%s', (_what, change, privilege) => {
    const later = structuredClone(WEIGHED);
    change(later);
    const [forward] = compareSpecs(specOf(WEIGHED), specOf(later)).changes;
    const [back] = compareSpecs(specOf(later), specOf(WEIGHED)).changes;
    expect(forward?.privilege, forward?.text).toBe(privilege);
    if (!BOTH_WAYS.test(forward?.text ?? '')) {
      expect(back?.privilege, back?.text).toBe(privilege === 'gained' ? 'lost' : 'gained');
    }
  });

  test('long texts, lists and settings are told by what they are', () => {
    const later = structuredClone(WEIGHED);
    at(later, 'agent')['system_prompt'] = 'One line.\nAnother one.';
    at(later, 'tools', 't')['parameters'] = { type: 'object', properties: { a: {}, b: {}, c: {} } };
    at(later, 'agent', 'guardrails')['output'] = [
      { id: 'o', type: 'keyword', config: { keywords: ['x'.repeat(80)] } },
    ];
    at(later, 'mcp_servers', 'm')['headers'] = { x: 'z'.repeat(100) };
    const told = compareSpecs(specOf(WEIGHED), specOf(later)).changes.map(({ text }) => text);
    expect(told.join('\n')).toContain('system_prompt is a text of 2 lines, was nothing');
    expect(told.join('\n')).toMatch(/headers(\.x)? is /);
    const again = structuredClone(later);
    at(again, 'agent')['system_prompt'] = 'One line.\nAnother other.';
    expect(compareSpecs(specOf(later), specOf(again)).changes.map(({ text }) => text)).toEqual([
      'the root agent: system_prompt was changed',
    ]);
  });
});

describe('nothing is left out and nothing invented', () => {
  test.each(samples)('$name written in another layout is the same', ({ document }) => {
    const again = documentOf(emitYaml(document));
    const reversed = Object.fromEntries(Object.entries(again).reverse());
    expect(compareSpecs(specOf(document), specOf(reversed))).toEqual({
      changes: [],
      sameBehaviour: true,
    });
  });

  test.each(samples)('every leaf of $name that differs is told', ({ document }) => {
    const before = specOf(document);
    let tried = 0;
    const visit = (holder: JsonObject | Json[], root: JsonObject): void => {
      for (const key of Object.keys(holder)) {
        const at = Array.isArray(holder) ? Number(key) : key;
        const value = Array.isArray(holder) ? holder[Number(at)] : holder[key];
        const put = (one: Json | undefined): void => {
          if (Array.isArray(holder)) holder[Number(at)] = one ?? null;
          else if (one === undefined) delete holder[key];
          else holder[key] = one;
        };
        if (typeof value === 'object' && value !== null) {
          visit(value, root);
          continue;
        }
        put(
          typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value}x`,
        );
        const { spec } = loadSpec({ base: root });
        if (spec !== undefined && JSON.stringify(spec) !== JSON.stringify(before)) {
          tried += 1;
          expect(compareSpecs(before, spec).changes, `${key} = ${value}`).not.toEqual([]);
        }
        put(value);
      }
    };
    const copy = structuredClone(document);
    visit(copy, copy);
    expect(tried).toBeGreaterThan(0);
  });
});
