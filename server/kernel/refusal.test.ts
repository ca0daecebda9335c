import { expect, test } from 'vitest';
import { type ErrorTable, Refusal, refusalsOf } from './refusal.ts';

const TABLE = {
  draft_stale: { status: 409, message: 'The draft changed.' },
  busy: { status: 503, message: 'Try again.', retryAfter: 5 },
} satisfies ErrorTable;

test('a refusal takes what it does not say from its row', () => {
  const refuse = refusalsOf(TABLE);
  const stale = refuse('draft_stale', { details: { path: 'a.yaml' } });
  expect(stale).toBeInstanceOf(Refusal);
  expect([stale.status, stale.message, stale.details]).toEqual([
    409,
    'The draft changed.',
    { path: 'a.yaml' },
  ]);
  expect(refuse('busy').retryAfter).toBe(5);
  expect(refuse('busy', { message: 'Later.', retryAfter: 9, status: 429 })).toMatchObject({
    message: 'Later.',
    retryAfter: 9,
    status: 429,
  });
});
