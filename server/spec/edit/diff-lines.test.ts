import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffHunks, patchText } from './diff-lines.ts';

const shown = (before: string, after: string): readonly string[] =>
  diffHunks(before, after).map(({ rows }) => rows.map((r) => `${r.sign}${r.text}`).join('|'));

it('shows changed lines with three lines around them, numbered on both sides', () => {
  const before = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`).join('\n');
  const after = before.replace('line 10\n', 'ten\nand more\n').replace('line 25\n', '');
  expect(shown(before, after)).toEqual([
    ' line 7| line 8| line 9|-line 10|+ten|+and more| line 11| line 12| line 13',
    ' line 22| line 23| line 24|-line 25| line 26| line 27| line 28',
  ]);
  expect(diffHunks(before, after)[1]?.rows[0]).toMatchObject({ before: 22, after: 23 });
  expect(diffHunks(before, before)).toEqual([]);
});

it('holds every line that differs, whatever the texts, with numbers that are true', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const rows = diffHunks(left.join('\n'), right.join('\n')).flatMap((hunk) => hunk.rows);
      for (const row of rows) {
        if (row.before !== null)
          expect((left.length === 0 ? [''] : left)[row.before - 1]).toBe(row.text);
        if (row.after !== null)
          expect((right.length === 0 ? [''] : right)[row.after - 1]).toBe(row.text);
      }
      const numbers = rows.flatMap(({ before }) => before ?? []);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
      const gone = rows.filter(({ sign }) => sign === '-').length;
      const made = rows.filter(({ sign }) => sign === '+').length;
      expect(made - gone).toBe(Math.max(1, right.length) - Math.max(1, left.length));
    }),
  );
});

it('is told as a patch with the name of the text, and as nothing where nothing differs', () => {
  expect(patchText('a.yaml', 'same', 'same')).toBe('');
  expect(patchText('a.yaml', 'one\ntwo', 'one\n2\nthree')).toBe(
    ['--- a.yaml', '+++ a.yaml', '@@ -1,2 +1,3 @@', ' one', '-two', '+2', '+three'].join('\n'),
  );
});
