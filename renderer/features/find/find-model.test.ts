import { describe, expect, test } from 'vitest';
import { type FindQuery, finderOf } from './find-model.ts';

const TEXT = 'version: v1\r\nagent:\r\n  name: Desk\r\n  model: {name: gpt-5}\r\n';

function lines(query: Partial<FindQuery> & { text: string }, text = TEXT) {
  const finder = finderOf({ pattern: false, exact: false, ...query });
  if (typeof finder !== 'function') throw new Error('no finder');
  return finder(text);
}

describe('find in drafts', () => {
  test('plain text, in any case unless it is asked for, with its place', () => {
    expect(lines({ text: 'desk' }).lines).toEqual([
      { line: 3, text: '  name: Desk', at: { start: 8, end: 12 } },
    ]);
    expect(lines({ text: 'desk', exact: true }).lines).toEqual([]);
    expect(lines({ text: 'gpt-5}' }).lines.map(({ line }) => line)).toEqual([4]);
  });

  test('a pattern finds lines; one that cannot be read says why', () => {
    expect(lines({ text: 'NAME:\\s+\\w', pattern: true }).lines.map(({ line }) => line)).toEqual([
      3, 4,
    ]);
    expect(lines({ text: '^agent:$', pattern: true, exact: true }).lines).toHaveLength(1);
    expect(finderOf({ text: '(', pattern: true, exact: false })).toMatchObject({
      problem: expect.stringContaining('No pattern'),
    });
    expect(finderOf({ text: '', pattern: true, exact: false })).toBeUndefined();
  });

  test('a pattern that would run away ends, and many lines are counted', () => {
    const slow = lines({ text: '(a+)+$', pattern: true }, `${'a'.repeat(20_000)}!`);
    expect(slow.lines).toEqual([]);
    const many = lines({ text: 'x' }, 'x\n'.repeat(1_000));
    expect([many.lines.length, many.more, many.whole]).toEqual([200, 800, true]);
  });
});
