import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasConflictMarkers, mergeLines } from './merge-lines.ts';

describe('mergeLines', () => {
  it('takes changes of both sides that do not overlap', () => {
    expect(mergeLines('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\n')).toEqual({
      text: 'A\nb\nc\nD\n',
      conflicts: 0,
    });
  });

  it('keeps both texts of an overlap between markers', () => {
    const { text, conflicts } = mergeLines('a\nb\nc', 'a\nmine\nc', 'a\ntheirs\nc');
    expect(conflicts).toBe(1);
    expect(text).toContain('mine');
    expect(text).toContain('theirs');
    expect(hasConflictMarkers(text)).toBe(true);
  });

  it('is the other side when one side changed nothing, whatever the texts', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
      .map((l) => l.join('\n'));
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeLines(base, changed, base)).toEqual({ text: changed, conflicts: 0 });
        expect(mergeLines(base, base, changed)).toEqual({ text: changed, conflicts: 0 });
        expect(mergeLines(base, changed, changed)).toEqual({ text: changed, conflicts: 0 });
      }),
    );
  });

  it('ends its marks as the lines of the text end', () => {
    const { text } = mergeLines('a\r\nb\r\n', 'a\r\nmine\r\n', 'a\r\ntheirs\r\n');
    expect(text).toBe(
      ['a', '<<<<<<< mine', 'mine', '=======', 'theirs', '>>>>>>> theirs', ''].join('\r\n'),
    );
  });
});
