import { expect, test } from 'vitest';
import { inputProblem, inputWithTrigger } from './flow-input.ts';

test('only a text that begins like JSON and is none has a problem', () => {
  for (const fine of ['', 'Where is my parcel?', '{"a": 1}', ' [1]', 'say [this']) {
    expect(inputProblem(fine)).toBeNull();
  }
  expect(inputProblem(' [{"a": ')).toMatch(/^This begins like JSON and is not valid: .+/);
});

test('a trigger goes with the items of any input', () => {
  const sent = (text: string): unknown => JSON.parse(inputWithTrigger(text, 'mail'));
  expect(sent('')).toEqual({ trigger: 'mail', items: [{}] });
  expect(sent('Hello')).toEqual({ trigger: 'mail', items: [{ chatInput: 'Hello' }] });
  expect(sent('{"a": 1}')).toEqual({ trigger: 'mail', items: [{ a: 1 }] });
  expect(sent('[{"a": 1}, {}]')).toEqual({ trigger: 'mail', items: [{ a: 1 }, {}] });
});

test('an object with items keeps all that it says', () => {
  const sent = (value: object): unknown =>
    JSON.parse(inputWithTrigger(JSON.stringify(value), 'mail'));
  const pinned = { Fetch: [{ n: 1 }] };
  expect(sent({ items: [{}], pinned })).toEqual({ trigger: 'mail', items: [{}], pinned });
  expect(sent({ items: [], trigger: 'chat' })).toEqual({ items: [], trigger: 'chat' });
});
