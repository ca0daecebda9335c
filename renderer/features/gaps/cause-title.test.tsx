import { expect, test } from 'vitest';
import { drawn } from '../../../test/support/drawn.ts';
import { CauseTitle } from './cause-title.tsx';

test('what gaps say is marked as English, and the name of an element is not', () => {
  const title = 'A credential is missing';
  expect(drawn(<CauseTitle cause={{ by: 'words', title }} />).html).toContain('lang="en"');
  expect(drawn(<CauseTitle cause={{ by: 'element', title }} />).tags('lang=')).toEqual([]);
});
