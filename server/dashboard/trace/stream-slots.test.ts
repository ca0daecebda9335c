import { expect, test } from 'vitest';
import { createStreamSlots } from './stream-slots.ts';

const of = (identity: string, window?: string) => ({ identity, window });

test('an operator is refused for streams of its own alone, and gets a slot back once (OD-149)', () => {
  const slots = createStreamSlots(2);
  const first = slots.take(of('ada'));
  slots.take(of('ada'));
  expect(() => slots.take(of('ada'))).toThrow('At most 2');
  slots.take(of('bob'));
  first();
  first();
  slots.take(of('ada'));
  expect(() => slots.take(of('ada'))).toThrow('At most 2');
  expect(slots.active()).toBe(3);
});

test('windows of one operator have the cap each, and twenty of them together', () => {
  const slots = createStreamSlots(1);
  for (let window = 0; window < 20; window += 1) slots.take(of('all', `w${window}`));
  expect(() => slots.take(of('all', 'w0'))).toThrow('At most 1');
  expect(() => slots.take(of('all', 'w20'))).toThrow('At most 1');
  slots.take(of('ada', 'w0'));
});
