import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMessages, storedMessages } from './stored-messages.ts';

const said = (content: string) => ({ role: 'user', content, name: null, metadata: {} });

test('messages come back as they were stored, whatever their length', () => {
  const content = fc
    .tuple(fc.string(), fc.constantFrom('', 'order '.repeat(2000), 'x'.repeat(9000)), fc.string())
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(content.map(said), { maxLength: 8 }), (messages) => {
      expect(readMessages(storedMessages(messages))).toEqual(messages);
    }),
  );
});

test('what agents repeat to each other costs its length once', () => {
  const messages = [];
  for (let text = 'x'.repeat(1000); messages.length < 200; text = `Final answer: ${text}`) {
    messages.push(said(text));
  }
  const stored = storedMessages(messages);
  expect(JSON.stringify(messages).length).toBeGreaterThan(450_000);
  expect(stored.length).toBeLessThan(50_000);
  expect(readMessages(stored)).toEqual(messages);
});

test('short ones are stored as a plain list', () => {
  expect(readMessages(JSON.stringify([said('a')]))).toEqual([said('a')]);
});
