import { expect, test } from 'vitest';
import { STATIC_IDENTITY } from '../../server/dashboard/operator.ts';
import { actorName, doerName } from './actor-name.ts';

test('who has no name of their own is told in words, everybody else by theirs', () => {
  expect(actorName(STATIC_IDENTITY)).toBe('the operator');
  expect(actorName('embedded')).toBe('this computer');
  expect(actorName(null)).toBe('a person without a name');
  expect(actorName('ada')).toBe('ada');
  expect(doerName({ operator: STATIC_IDENTITY, actor: 'key' })).toBe('the operator');
  expect(doerName({ operator: null, actor: 'key' })).toBe('key');
});
