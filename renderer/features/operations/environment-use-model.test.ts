import { expect, test } from 'vitest';
import { wordsOfUse } from './environment-use-model.ts';

const NONE = { here: false, running: null, blocked: 0, hasPolicy: false, roles: [] };

test('what is at stake is said before an environment is removed, and nothing where nobody uses it', () => {
  expect(wordsOfUse(NONE)).toEqual([]);
  const all = {
    here: true,
    running: 1,
    blocked: 3,
    hasPolicy: true,
    roles: ['viewer', 'operator'],
  };
  expect(wordsOfUse(all)).toEqual([
    'This window shows it.',
    '1 run of its platform is at work.',
    '3 runs of its platform wait for a person.',
    'A policy is stored for it.',
    'The access of viewer and operator names it.',
  ]);
});
