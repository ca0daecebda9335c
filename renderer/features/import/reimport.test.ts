import { describe, expect, it } from 'vitest';
import { mergeLines } from '../../../server/spec/merge/merge-lines.ts';
import { chooseText, mergeParts } from './merge-choices.ts';
import { earlierDraft } from './reimport-queries.ts';

const draft = (ref: string, analysis_ids: string[], revision: string | null = 'r') => ({
  ref: `.studio/drafts/${ref}`,
  analysis_ids,
  revision,
});

describe('a file that is imported again', () => {
  it('is compared with the draft of its first import', () => {
    const drafts = [draft('desk.yaml', ['a']), draft('desk-2.yaml', ['b']), draft('x.yaml', ['c'])];
    expect(earlierDraft(drafts, '.studio/drafts/desk-2.yaml', 'b')).toBe(
      '.studio/drafts/desk.yaml',
    );
    expect(earlierDraft(drafts, '.studio/drafts/desk.yaml', 'a')).toBeUndefined();
  });

  it('is not compared with a draft that no import made, is gone, or carries it already', () => {
    const ref = '.studio/drafts/desk-2.yaml';
    expect(earlierDraft([draft('desk.yaml', [])], ref, 'b')).toBeUndefined();
    expect(earlierDraft([draft('desk.yaml', ['a'], null)], ref, 'b')).toBeUndefined();
    expect(earlierDraft([draft('desk.yaml', ['b'])], ref, 'b')).toBeUndefined();
  });

  it('asks for each place that both sides changed, and loses neither', () => {
    const base = 'a\nb\nc\nd\ne\n';
    const mine = 'a\nmine\nc\nd\nE\n';
    const theirs = 'A\nb2\nc\nd\n';
    const parts = mergeParts(mergeLines(base, mine, theirs).text);
    const places = parts.flatMap((part, index) => (part.kind === 'conflict' ? [index] : []));
    expect(places.length).toBeGreaterThan(0);
    expect(chooseText(parts, new Map())).toBeUndefined();
    const all = (choice: 'mine' | 'theirs' | 'both') =>
      chooseText(parts, new Map(places.map((index) => [index, choice])));
    expect(all('mine')).toContain('mine');
    expect(all('theirs')).toContain('b2');
    expect(all('both')).toMatch(/mine[\s\S]*b2/);
    expect(all('both')).not.toMatch(/^(<<<<<<<|=======|>>>>>>>)/m);
  });

  it('a merge without such places is the merge itself', () => {
    const { text } = mergeLines('a\nb\nc\n', 'a\nb\nC\n', 'A\nb\nc\n');
    expect(chooseText(mergeParts(text), new Map())).toBe('A\nb\nC\n');
  });
});
