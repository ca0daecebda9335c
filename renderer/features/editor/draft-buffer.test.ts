import { describe, expect, it } from 'vitest';
import {
  type DraftBuffer,
  edit,
  failSave,
  finishSave,
  isDirty,
  observe,
  openBuffer,
  resolve,
  revert,
  saveStateOf,
  startSave,
} from './draft-buffer.ts';

const v1 = { text: 'one', revision: 'r1' };
const v2 = { text: 'two', revision: 'r2' };
const clean = openBuffer(v1, undefined);
const edited: DraftBuffer = edit(clean, 'mine');

describe('draft buffer', () => {
  it('takes up unsaved text of the same revision as unsaved', () => {
    expect(openBuffer(v1, { text: 'mine', base: v1 })).toEqual(edited);
  });

  it('opens as a conflict when the draft moved on while unsaved text was kept', () => {
    const buffer = openBuffer(v2, { text: 'mine', base: v1 });
    expect(buffer).toEqual({ base: v1, text: 'mine', theirs: v2, saving: null });
    expect(saveStateOf(buffer, false)).toBe('conflict');
  });

  it('forgets kept text that equals what the studio holds', () => {
    expect(openBuffer(v2, { text: 'two', base: v1 })).toEqual(openBuffer(v2, undefined));
  });

  it('keeps what was typed during a save as unsaved', () => {
    const typed = edit(startSave(edited), 'mine, more');
    expect(saveStateOf(typed, false)).toBe('saving');
    const saved = finishSave(typed, 'r2');
    expect(saved.base).toEqual({ text: 'mine', revision: 'r2' });
    expect(isDirty(saved)).toBe(true);
    expect(saveStateOf(finishSave(startSave(edited), 'r2'), false)).toBe('saved');
  });

  it('is unsaved again after a failed save', () => {
    expect(saveStateOf(failSave(startSave(edited)), false)).toBe('dirty');
  });

  it('follows the studio when untouched and keeps both versions when edited', () => {
    expect(observe(clean, v2)).toEqual(openBuffer(v2, undefined));
    expect(observe(edited, v2)).toEqual({ ...edited, theirs: v2 });
    expect(observe(edited, v1)).toBe(edited);
    expect(observe(edited, { text: 'mine', revision: 'r3' }).theirs).toBeNull();
  });

  it('does not take its own save for a foreign change', () => {
    const saving = startSave(edited);
    expect(observe(saving, { text: 'mine', revision: 'r2' })).toBe(saving);
  });

  it('bases a decision on their version, whichever text is kept', () => {
    const conflict = observe(edited, v2);
    expect(resolve(conflict, 'mine')).toEqual({
      base: v2,
      text: 'mine',
      theirs: null,
      saving: null,
    });
    expect(saveStateOf(revert(conflict), false)).toBe('saved');
    expect(revert(edited).text).toBe('one');
  });

  it('says read only only while nothing else needs saying', () => {
    expect(saveStateOf(clean, true)).toBe('read_only');
    expect(saveStateOf(edited, true)).toBe('dirty');
  });
});
