import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasConflictMarkers, mergeTexts } from './merge-model.ts';

describe('mergeTexts', () => {
  it('takes changes of both sides that do not overlap', () => {
    expect(mergeTexts('a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'a\nb\nc\nD\n')).toEqual({
      text: 'A\nb\nc\nD\n',
      conflicts: 0,
    });
  });

  it('keeps both texts of an overlap between markers', () => {
    const { text, conflicts } = mergeTexts('a\nb\nc', 'a\nmine\nc', 'a\ntheirs\nc');
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
        expect(mergeTexts(base, changed, base)).toEqual({ text: changed, conflicts: 0 });
        expect(mergeTexts(base, base, changed)).toEqual({ text: changed, conflicts: 0 });
        expect(mergeTexts(base, changed, changed)).toEqual({ text: changed, conflicts: 0 });
      }),
    );
  });
});
