import { expect, test } from 'vitest';
import { type Message, message } from '../../engine/message.ts';
import { toPrompt } from './prompt.ts';
import { toolNames } from './tool-names.ts';

const names = toolNames(['look up']);
const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });

function asked(id: string, text = ''): Message {
  return {
    ...message('assistant', text),
    metadata: { tool_calls: [{ id, name: 'look up', arguments: { id: 7 } }] },
  };
}

function told(id: string, content: string): Message {
  return { ...message('tool', content, 'look up'), tool_call_id: id };
}

test('all system text stands first, in order', () => {
  const thread = [message('user', 'a'), message('system', 'Summary.'), message('user', 'b')];
  expect(toPrompt('Be kind.', thread, names, false)).toEqual([
    { role: 'system', content: 'Be kind.\n\nSummary.' },
    user('a'),
    user('b'),
  ]);
});

test('results stand beside their calls, whatever else follows', () => {
  const thread = [
    message('user', 'a'),
    asked('c1', 'Looking.'),
    told('c1', 'found'),
    message('user', 'b'),
  ];
  const prompt = toPrompt(null, thread, names, true);
  expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(prompt[1]).toMatchObject({
    content: [
      { type: 'text', text: 'Looking.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'look_up', input: { id: 7 } },
    ],
  });
});

test('a result without its call, and a call without its result, are told as text or left out', () => {
  expect(toPrompt(null, [told('c1', 'found'), message('user', 'b')], names, true)).toEqual([
    user('Tool look up (c1): found'),
    user('b'),
  ]);
  const unanswered = [message('user', 'a'), asked('c1'), asked('c2', 'Text'), message('user', 'b')];
  expect(toPrompt(null, unanswered, names, true)).toEqual([
    user('a'),
    assistant('Text'),
    user('b'),
  ]);
});

test('where no tools are offered, calls of others are text', () => {
  const thread = [message('user', 'a'), asked('c1', 'Looking.'), told('c1', 'found')];
  expect(toPrompt(null, thread, names, false)).toEqual([
    user('a'),
    assistant('Looking.'),
    user('Tool look up (c1): found'),
  ]);
});

test("a thread that is empty or ends with a model's turn asks to go on", () => {
  expect(toPrompt(null, [], names, false)).toEqual([user('Continue.')]);
  expect(toPrompt(null, [message('user', 'a'), message('assistant', 'b')], names, false)).toEqual([
    user('a'),
    assistant('b'),
    user('Continue.'),
  ]);
});

test('tool names on the wire are safe, distinct and lead back', () => {
  const given = ['a.b', 'a b', '9', 'x'.repeat(70), `${'x'.repeat(70)}y`];
  const { toWire, fromWire } = toolNames(given);
  const wires = given.map(toWire);
  expect(wires.every((wire) => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(wire))).toBe(true);
  expect(new Set(wires).size).toBe(given.length);
  expect(wires.map(fromWire)).toEqual(given);
  expect(fromWire('not offered')).toBe('not offered');
});
