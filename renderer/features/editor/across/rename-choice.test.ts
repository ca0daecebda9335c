import { expect, test } from 'vitest';
import { renameAcross } from './across-model.ts';
import { hindranceOf, renameChanges, wantedAtFirst } from './rename-choice.ts';
import type { RenameRequest } from './rename-request.ts';

const BASE = 'version: v1\nagent: {name: a}\ncomponents: {agents: {writer: {name: w}}}\n';
const OVER = 'components: {agents: {writer: {description: x}}}\n';

function request(more: Readonly<Record<string, object>>): RenameRequest {
  const drafts = [
    { ref: 'a.yaml', text: BASE, overlay: false, over: [] },
    { ref: 'b.yaml', text: OVER, overlay: true, over: ['a.yaml'] },
    { ref: 'c.yaml', text: OVER, overlay: true, over: ['other.yaml'] },
  ].map((one) => ({ ...one, revision: `of ${one.ref}`, readOnly: false, ...more[one.ref] }));
  const place = { ref: 'a.yaml', offset: BASE.indexOf('writer') };
  const answer = renameAcross({ texts: drafts, place }, 'author');
  if ('problem' in answer) throw new Error(answer.problem);
  const wish = { projectId: 'p', ref: 'a.yaml', text: BASE, offset: place.offset, name: 'author' };
  return { ...wish, project: { drafts, failed: [] }, answer };
}

const hindrances = (asked: RenameRequest) =>
  asked.answer.files.map((file) => [file.ref, hindranceOf(asked, file)]);

test('what surely means the same is chosen, the rest is left to the author', () => {
  const asked = request({});
  expect([...wantedAtFirst(asked)]).toEqual(['a.yaml', 'b.yaml']);
  expect(asked.answer.files.map(({ ref, tie }) => [ref, tie])).toEqual([
    ['a.yaml', 'here'],
    ['b.yaml', 'known'],
    ['c.yaml', 'possible'],
  ]);
  const after = (text: string) => text.replace('writer', 'author');
  expect(renameChanges(asked, new Set(['a.yaml', 'c.yaml']), 'open')).toEqual([
    { ref: 'a.yaml', before: BASE, after: after(BASE), revision: 'open' },
    { ref: 'c.yaml', before: OVER, after: after(OVER), revision: 'of c.yaml' },
  ]);
});

test('drafts that are unsaved, only read, or take no such name say so and are left', () => {
  const asked = request({
    'a.yaml': { revision: null },
    'b.yaml': { revision: null },
    'c.yaml': { readOnly: true },
  });
  expect(hindrances(asked)).toEqual([
    ['a.yaml', null],
    ['b.yaml', 'It has changes that are not saved. Save or discard them first.'],
    ['c.yaml', 'This draft is registered for reading only.'],
  ]);
  expect([...wantedAtFirst(asked)]).toEqual(['a.yaml']);
  expect(renameChanges(asked, new Set(['b.yaml']), 'open')).toEqual([]);
  const taken = OVER.replace('{agents: {', '{agents: {author: {name: b}, ');
  expect(hindrances(request({ 'b.yaml': { text: taken } }))[1]).toEqual([
    'b.yaml',
    '"author" is already the name of another agent.',
  ]);
});
