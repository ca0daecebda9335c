import { expect, test } from 'vitest';
import { applyEdits } from '../edit/text-edit.ts';
import { loadSpec } from '../load/load-spec.ts';
import { validateSpec, validateText } from '../rules/validate.ts';
import { findingOf, type Mend } from '../values/diagnostic.ts';
import { parseSpecText } from '../yaml/parse-yaml.ts';
import { openDocument } from './open-document.ts';
import { quickFixes } from './quick-fix.ts';

const TEXT = `version: v1
agent:
  name: 7 # number
  systm_prompt: Typo.
  zzz: 1
workflow:
  type: graph
  start: on
  nodes:
    one: {id: uno, kind: agnet, ref: writr}
  edges: []
components:
  agents:
    writer: {name: writer}
`;

test('applying every quick fix in turn leaves no finding that has one', () => {
  let text = TEXT;
  const titles: string[] = [];
  for (let turn = 0; turn < 12; turn += 1) {
    const { diagnostics } = validateText(text, 'yaml');
    const fix = diagnostics.flatMap((one) => quickFixes(openDocument(text), one))[0];
    if (fix === undefined) break;
    titles.push(fix.title);
    text = applyEdits(text, fix.edits);
  }
  expect(titles).toEqual([
    'Put it in quotes',
    'Change to "system_prompt"',
    'Remove "zzz"',
    'Put it in quotes',
    'Change to "agent"',
    'Set the id to "one"',
    'Change to "writer"',
    'Change to "one"',
  ]);
  expect(text).toBe(
    TEXT.replace('name: 7', 'name: "7"')
      .replace('systm_prompt', 'system_prompt')
      .replace('  zzz: 1\n', '')
      .replace('start: on', 'start: "one"')
      .replace('agnet', 'agent')
      .replace('id: uno', 'id: one')
      .replace('ref: writr', 'ref: writer'),
  );
});

const MISSING = `version: v1
agent:
  name: root
  tools: [search, serch] # two
  skills: [tone]
components: # parts
  agents:
    # writes
    writer: {name: writer}
    desk: {name: desk, as_agent: help desk}
tools:
  search: {description: Search., agent: finder}
  remote: {description: Remote., mcp: {server: box}}
workflow:
  type: sequential
  steps:
  - {id: a, kind: agent, ref: wrter}
  - {id: b, kind: function, ref: 2nd pass}
  - {id: c, kind: human, ref: boss}
  - {id: d, kind: workflow, ref: inner}
  - lonely
`;

function declared(text: string, format: 'yaml' | 'json'): { titles: string[]; text: string } {
  const titles: string[] = [];
  let at = text;
  for (;;) {
    const fix = validateText(at, format)
      .diagnostics.flatMap((one) => quickFixes(openDocument(at, format), one))
      .find(({ title }) => title.startsWith('Declare'));
    if (fix === undefined) return { titles, text: at };
    titles.push(fix.title);
    at = applyEdits(at, fix.edits);
  }
}

test('every missing component can be declared by a stub that is sound, comments kept', () => {
  for (const [text, format] of [
    [MISSING, 'yaml'],
    [MISSING.replaceAll('\n', '\r\n'), 'yaml'],
    [JSON.stringify(parseSpecText(MISSING, 'yaml').value), 'json'],
  ] as const) {
    const { titles, text: after } = declared(text, format);
    expect(titles.toSorted()).toEqual([
      'Declare the agent "finder"',
      'Declare the agent "lonely"',
      'Declare the agent "wrter"',
      'Declare the function "2nd pass"',
      'Declare the human step "boss"',
      'Declare the server "box"',
      'Declare the skill "tone"',
      'Declare the tool "serch"',
      'Declare the workflow "help desk"',
      'Declare the workflow "inner"',
    ]);
    expect(validateText(after, format).valid).toBe(true);
    const lines = new Set(after.split('\n'));
    expect(text.split('\n').filter((line) => format === 'yaml' && !lines.has(line))).toEqual([]);
  }
});

test('the change of a mistyped name comes before its declaration', () => {
  const document = openDocument(MISSING);
  const titles = document
    .validation()
    .diagnostics.filter(({ code }) => code === 'E_STEP_AGENT_REF')
    .map((one) => quickFixes(document, one).map(({ title }) => title));
  expect(titles).toEqual([
    ['Change to "writer"', 'Declare the agent "wrter"'],
    ['Declare the agent "lonely"'],
  ]);
});

const finding = (code: string, path: string | null, mend?: Mend) =>
  findingOf('error', code, path, '', mend === undefined ? null : { text: '', mend });

test('a finding that no change of this text can answer has no fix', () => {
  const fixes = (text: string, ...one: Parameters<typeof finding>) =>
    quickFixes(openDocument(text), finding(...one)).map(({ title }) => title);
  const undeclared = (text: string, name: string) =>
    quickFixes(openDocument(text), {
      ...finding('E_STEP_AGENT_REF', null),
      missing: { kind: 'agent', name },
    }).map(({ title }) => title);
  expect(fixes('a: [', 'E_SCHEMA', 'a', { change: 'remove' })).toEqual([]);
  expect(undeclared('version: v1\n', 'x')).toEqual(['Declare the agent "x"']);
  expect(undeclared('version: v0\n', 'x')).toEqual([]);
  expect(undeclared('version: v1\n', ' ')).toEqual([]);
  expect(fixes('version: v1\n', 'E_STEP_AGENT_REF', null)).toEqual([]);
  expect(fixes('agent: {}\n', 'E_OTHER', 'agent')).toEqual([]);
  expect(fixes('agent: {}\n', 'E_SCHEMA', 'agent')).toEqual([]);
  expect(fixes('agent: {}\n', 'E_SCHEMA', 'agent', { change: 'quote' })).toEqual([]);
  expect(fixes('agent: 7\n', 'E_GUARDRAIL_FIELDS', 'agent', { change: 'make_list' })).toEqual([]);
  const both = 'config: {keywords: [a], patterns: [b]}\n';
  const retype = { change: 'set_type', type: 'regex' } as const;
  expect(fixes(both, 'E_GUARDRAIL_CONFIG', 'config.patterns', retype)).toEqual([]);
  expect(fixes('agent: {}\n', 'E_SCHEMA', 'agent', { change: 'rename', to: 'agents' })).toEqual([]);
  expect(fixes('agnt: {}\n', 'E_SCHEMA', 'agnt', { change: 'rename', to: 'agent' })).toEqual([
    'Change to "agent"',
  ]);
  const closed = 'version: v1\ncomponents: {agents: 5}\n';
  expect(undeclared(closed, 'x')).toEqual([]);
});

const GUARDED = `version: v1
agent:
  name: root
  guardrails:
    inpt: # before the model
      id: a
      type: keyword
      config: {keywords: secret}
    output:
      - {id: b, type: keywrd, action: redact, config: {keywords: [4711, on, ok]}}
      - {id: c, type: keyword, mode: runtime, config: {patterns: ["s+"]}}
      - {id: d, type: function, ref: polit}
      - {id: e, type: agent, ref: judge}
components:
  functions:
    polite: {implementation: texts.polite}
`;

test('guardrails that cannot be applied have a fix, comments kept', () => {
  let text = GUARDED;
  const titles: string[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const { diagnostics } = validateText(text, 'yaml');
    const fix = diagnostics.flatMap((one) => quickFixes(openDocument(text), one))[0];
    if (fix === undefined) break;
    titles.push(fix.title);
    text = applyEdits(text, fix.edits);
  }
  expect(titles).toEqual([
    'Change to "input"',
    'Make it a list',
    'Make it a list',
    'Change to "keyword"',
    'Set the action to "block"',
    'Put it in quotes',
    'Put it in quotes',
    'Remove "mode"',
    'Set the type to "regex"',
    'Change to "polite"',
    'Declare the agent "judge"',
  ]);
  expect(validateText(text, 'yaml').diagnostics).toEqual([]);
  expect(text).toContain('# before the model');
});

test('with keywords and patterns in one check there is no telling which are meant', () => {
  const text = GUARDED.replace('{patterns: ["s+"]}', '{patterns: ["s+"], keywords: [s]}');
  const document = openDocument(text);
  const found = document.validation().diagnostics.filter(({ path }) => path?.endsWith('.patterns'));
  expect(found.map((one) => quickFixes(document, one))).toEqual([[]]);
});

test('what an editor answers a finding by stays out of the answers of services', () => {
  const { spec } = openDocument(MISSING).validation();
  const found = spec === undefined ? [] : validateSpec(spec);
  expect(found.map(({ code }) => code)).toContain('E_STEP_AGENT_REF');
  for (const one of found) {
    expect(Object.keys(one).sort()).toEqual(['code', 'message', 'path', 'severity', 'suggestion']);
  }
});

test('answers say in words alone what an editor makes of a finding', () => {
  const base = parseSpecText(TEXT, 'yaml').value ?? {};
  const fields = ['code', 'message', 'path', 'severity', 'suggestion'];
  const { diagnostics } = loadSpec({ base });
  expect(diagnostics.length).toBeGreaterThan(3);
  for (const one of diagnostics) expect(Object.keys(one).toSorted()).toEqual(fields);
  const { spec } = validateText(GUARDED, 'yaml');
  const found = spec === undefined ? [] : validateSpec(spec);
  expect(found.length).toBeGreaterThan(3);
  for (const one of found) expect(Object.keys(one).toSorted()).toEqual(fields);
});
