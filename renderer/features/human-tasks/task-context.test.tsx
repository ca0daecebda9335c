import { expect, test } from 'vitest';
import { drawn } from '../../../test/support/drawn.ts';
import { TaskContext } from './task-context.tsx';

const WAITS = { input_text: 'the letter' };

test('a person sees what the spec gives to decide by, and as whom the answer is heard (RP-015)', () => {
  const context = { order: { id: 7 }, customer: 'Ada', ...WAITS };
  const { text } = drawn(<TaskContext task={{ context, response_role: 'assistant' }} Part="h3" />);
  expect(text.replaceAll('&quot;', '"')).toBe(
    'Context order { "id": 7 } customer Ada The answer joins the conversation as assistant.',
  );
});

test('a request without either says nothing about them', () => {
  const task = { context: WAITS, response_role: null };
  expect(drawn(<TaskContext task={task} Part="h3" />).text).toBe('');
});
