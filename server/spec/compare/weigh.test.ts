import { expect, test } from 'vitest';
import type { Json } from '../../kernel/json.ts';
import type { BlockName } from '../schema/field-help.ts';
import { tell } from './tell.ts';
import { isBehaviour, privilegeOf, type Unweighed } from './weigh.ts';

function changed(place: string, before: Json | undefined, after: Json | undefined): Unweighed {
  const [block = '', ...rest] = place.split('.');
  return {
    change: 'changed',
    block: block as BlockName,
    part: `${block} "x"`,
    path: 'x',
    field: rest.join('.'),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

test.each<[string, Json | undefined, Json | undefined, 'gained' | 'lost' | null]>([
  // A list in another order, or with one of its members twice, gives the same.
  ['tool_selection.include', ['a', 'b'], ['b', 'a'], null],
  ['tool_selection.exclude', ['a'], ['a', 'a'], null],
  ['permissions.allowed_domains', ['a'], ['a', 'a'], null],
  ['permissions.allowed_domains', undefined, undefined, null],
  // Nothing said is not restricted.
  ['permissions.allow_shell', true, undefined, null],
  ['permissions.allow_shell', undefined, false, 'lost'],
  ['mcp_server.verify', true, undefined, null],
  // No limit, in whichever words.
  ['graph.max_steps', undefined, 0, null],
  ['graph.max_steps', 5, undefined, 'gained'],
  ['model.token_budget', 9, 5, 'lost'],
  // Where a provider or a server is no longer named nothing is trusted.
  ['model.extra.base_url', 'http://a.example', undefined, 'lost'],
  ['model.extra.base_url', 'http://a.example', null, 'lost'],
  ['mcp_server.url', undefined, 'http://a.example', 'gained'],
  ['step.credentials.httpAuth', 'one', 'two', 'gained'],
  ['step.credentials.httpAuth', 'one', undefined, 'lost'],
  // What watches stays as long as something is there.
  ['agent.guardrails', { input: [] }, { output: [] }, null],
  ['agent.guardrails', { input: [] }, undefined, 'gained'],
  ['agent.tools', { include: [] }, { include: ['a'] }, null],
  ['agent.tools', undefined, { include: [] }, 'gained'],
  ['guardrail.action', 'warn', 'redact', null],
  ['guardrail.action', 'block', 'warn', 'gained'],
  ['guardrail.action', 'warn', 'block', 'lost'],
  ['human.on_timeout', 'fail', 'escalate', null],
  ['human.on_timeout', 'continue', 'fail', 'lost'],
  ['root.metadata.flow.allowed_domains', ['a.example'], ['b.example'], 'gained'],
  ['root.metadata.note', 'a', 'b', null],
  ['agent.description', 'a', 'b', null],
])('%s from %j to %j gives %s', (place, before, after, privilege) => {
  expect(privilegeOf(changed(place, before, after))).toBe(privilege);
});

test('a person who is switched off watches no more; another step gives nothing by that', () => {
  const off = changed('step.enabled', true, false);
  expect(privilegeOf({ ...off, part: 'human step "ask"' })).toBe('gained');
  expect(privilegeOf({ ...off, part: 'step "sort"' })).toBeNull();
  expect(privilegeOf({ ...off, part: 'human step "ask"', after: true })).toBeNull();
});

test('a step that went counts by what it was, and one of which nothing is known by nothing', () => {
  const gone = {
    change: 'removed',
    block: 'step',
    part: 'step "x"',
    path: 'x',
    field: null,
  } as const;
  expect(privilegeOf({ ...gone, before: { kind: 'human' } })).toBe('gained');
  expect(privilegeOf({ ...gone, before: { kind: 'agent' } })).toBeNull();
  expect(privilegeOf(gone)).toBeNull();
  expect(privilegeOf({ ...gone, change: 'moved' })).toBeNull();
});

test('runs read what metadata says of an imported flow, and no other note', () => {
  expect(isBehaviour(changed('root.metadata.flow.order', 'v0', 'v1'))).toBe(true);
  expect(isBehaviour(changed('root.metadata.flows.inner', 'v0', 'v1'))).toBe(false);
  expect(isBehaviour(changed('root.metadata.tools', {}, null))).toBe(true);
  expect(isBehaviour(changed('root.metadata.note', 'a', 'b'))).toBe(false);
  expect(isBehaviour(changed('agent.history.limit', 1, 2))).toBe(false);
  expect(isBehaviour(changed('agent.system_prompt', 'a', 'b'))).toBe(true);
  expect(isBehaviour({ ...changed('agent.x', 'a', 'b'), change: 'renamed' })).toBe(false);
});

test('values are told short: long texts by their lines, long lists and settings by their number', () => {
  const long = 'word '.repeat(20);
  const told = (before: Json | undefined, after: Json | undefined) =>
    tell(changed('agent.system_prompt', before, after));
  expect(told('a', long)).toBe('agent "x": system_prompt is a text of 1 line, was "a"');
  expect(told('a\nb', null)).toBe('agent "x": system_prompt is nothing, was a text of 2 lines');
  expect(told([], [long])).toBe('agent "x": system_prompt is a list of 1, was []');
  expect(told({}, { one: long, two: 2 })).toBe('agent "x": system_prompt is 2 settings, was {}');
  expect(told(long, `${long}!`)).toBe('agent "x": system_prompt was changed');
});

test('a list of names is told by who joined and who left; another order is told as it is', () => {
  const skills = (before: Json | undefined, after: Json | undefined) =>
    tell(changed('agent.skills', before, after));
  expect(skills(['a', 'b'], ['b', 'c'])).toBe(
    'agent "x" has the skill "c", no longer has the skill "a"',
  );
  expect(skills(undefined, ['a'])).toBe('agent "x" has the skill "a"');
  expect(skills(['a', 'b'], ['b', 'a'])).toBe('agent "x": skills is ["b","a"], was ["a","b"]');
});
