import { expect, test } from 'vitest';
import { draftStates, facetCount, foundDrafts } from './draft-board-model.ts';

const draft = (ref: string, analysis_ids: string[] = []) => ({ ref, analysis_ids, revision: 'r' });
const entry = (
  ref: string,
  open_blocking: number,
  open_manual: number,
  by: string | null = null,
) => ({
  ref,
  open_blocking,
  open_manual,
  superseded_by: by,
});
const artifact = (id: string, path: string) => ({
  id,
  base: { path, revision: 'r' },
  created_at: '2026-11-21T08:00:00Z',
});
const run = (run_id: string, status: string) => ({ run_id, status, updated_at: null });

const states = draftStates(
  [draft('a.yaml', ['one', 'two']), draft('b.yaml', ['three']), draft('c.yaml')],
  {
    entries: [entry('a.yaml', 0, 2), entry('a.yaml', 5, 0, 'one'), entry('b.yaml', 1, 3)],
    artifacts: [artifact('new', 'a.yaml'), artifact('old', 'a.yaml')],
    lastRuns: new Map([['a.yaml', run('r2', 'failed')]]),
  },
);

test('a draft stands with what is open in it, its newest artifact and its newest run', () => {
  expect(states[0]).toMatchObject({
    // The import that a later one replaced counts no more.
    gaps: { blocking: 0, manual: 2 },
    artifact: { id: 'new' },
    run: { run_id: 'r2' },
  });
  // The run of a file of the same name is of another project.
  expect(states[1]).toMatchObject({ gaps: { blocking: 1, manual: 3 }, run: undefined });
  expect(states[2]).toMatchObject({ gaps: null, artifact: undefined, run: undefined });
});

test('drafts are found by name and by what is to be done', () => {
  const refs = (text: string, facets: string[]) =>
    foundDrafts(states, text, facets).map((state) => state.draft.ref);
  expect(refs('', [])).toEqual(['a.yaml', 'b.yaml', 'c.yaml']);
  expect(refs('C.Y', [])).toEqual(['c.yaml']);
  expect(refs('', ['blocking'])).toEqual(['b.yaml']);
  expect(refs('', ['manual', 'failed'])).toEqual(['a.yaml']);
  expect(facetCount(states, 'failed')).toBe(1);
});
