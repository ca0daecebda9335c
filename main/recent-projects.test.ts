import { expect, test } from 'vitest';
import { jumpList, readRecent } from './recent-projects.ts';

test('a window names projects; what is none is left out, and more than a list holds too', () => {
  const desk = { id: 'p1', name: 'Desk' };
  expect(
    readRecent([desk, null, 'p2', { id: 1, name: 'x' }, { id: 'p3' }, { ...desk, at: 1 }]),
  ).toEqual([desk, desk]);
  expect(readRecent([{ id: 'x'.repeat(300), name: 'long' }])).toEqual([]);
  expect(readRecent({ length: 2 })).toEqual([]);
  expect(readRecent(Array.from({ length: 40 }, () => desk))).toHaveLength(12);
});

test('an entry of the jump list starts the program with the address of its project', () => {
  const [list] = jumpList([{ id: 'a b"c', name: 'Desk' }], 'C:\\Specwright.exe');
  expect(list).toMatchObject({ type: 'custom', name: 'Recent projects' });
  expect(list?.items?.[0]).toMatchObject({
    type: 'task',
    title: 'Desk',
    program: 'C:\\Specwright.exe',
    args: 'specwright://project/a%20b%22c',
  });
});
