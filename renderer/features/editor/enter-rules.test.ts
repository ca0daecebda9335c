import { expect, test } from 'vitest';
import { ENTER_RULES } from './enter-rules.ts';

const added = (line: string) => ENTER_RULES.find(({ before }) => before.test(line))?.add;

test('Enter after an item with a key goes below the key', () => {
  expect(added('    - id: x')).toBe('  ');
  expect(added('- "quoted key": some words')).toBe('  ');
  expect(added('  - url: http://x.example/a')).toBe('  ');
});

test('what belongs to the key goes deeper', () => {
  expect(added('  - steps:')).toBe('    ');
  expect(added('  - prompt: |')).toBe('    ');
  expect(added('  prompt: >-')).toBe('  ');
});

test('other lines keep the rules of the editor', () => {
  const others = [
    '  - plain item',
    '  - {id: x, kind: agent}',
    'id: x',
    '  - http://x',
    'a:',
    '- id: [',
  ];
  for (const line of others) {
    expect(added(line)).toBeUndefined();
  }
});
