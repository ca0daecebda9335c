import { expect, test } from 'vitest';
import type { LaunchHistoryEntry } from '../../../server/contract/dashboard/launch.ts';
import { formOf, groupsOf, refillHindrance, refillNotes } from './launch-history-model.ts';

let count = 0;
function entry(more: Partial<LaunchHistoryEntry>): LaunchHistoryEntry {
  count += 1;
  return {
    id: String(count),
    environment: null,
    mode: 'inline',
    spec_path: null,
    digest: 'sha256:aa',
    label: 'desk',
    run_id: `run-${count}`,
    created_by: 'static-operator',
    created_at: '2026-11-21T12:00:00.000000+00:00',
    ...more,
  };
}

const draft = { kind: 'draft', project_id: 'p', ref: 'specs/desk.yaml', revision: 'one' } as const;
const artifact = {
  kind: 'artifact',
  project_id: 'p',
  artifact_id: 'a1',
  draft_ref: 'specs/desk.yaml',
  revision: 'two',
} as const;
const path = { mode: 'path', spec_path: 'desk.yaml', label: 'desk.yaml', digest: null } as const;
const rerun = { digest: null, label: 'run r again' } as const;

test('launches stand together by their spec, the one launched last first', () => {
  const groups = groupsOf([
    entry({ source: draft }),
    entry({ source: artifact }),
    entry({ source: { ...draft, revision: 'zero' } }),
    entry({}),
    entry(path),
    entry(rerun),
    entry({ ...rerun, label: 'run s again' }),
    entry(path),
  ]);
  expect(groups.map(({ title, from, earlier }) => [title, from, earlier.length])).toEqual([
    ['desk', 'draft of project p', 1],
    ['desk', 'artifact of project p', 0],
    ['desk', 'pasted text', 0],
    ['desk.yaml', 'file of the platform', 1],
    ['Runs that began at a checkpoint', 'another run', 1],
  ]);
});

test('a launch fills the form again, as far as it is kept', () => {
  const options = {
    overlays: ['a.yaml', 'b.yaml'],
    skills: { add: ['maps'], disable: ['mail'] },
    session_id: 's',
    strict: false,
    timeout: 5,
  };
  expect(formOf(entry({ source: draft, environment: 'dev', options }))).toMatchObject({
    kind: 'draft',
    project: 'p',
    draft: 'specs/desk.yaml',
    environment: 'dev',
    options: {
      overlays: 'a.yaml\nb.yaml',
      addSkills: ['maps'],
      disableSkills: ['mail'],
      session: 's',
      strict: false,
      timeout: '5',
    },
  });
  expect(formOf(entry({ source: artifact }))).toMatchObject({ kind: 'artifact', artifact: 'a1' });
  expect(formOf(entry(path))).toMatchObject({ kind: 'path', path: 'desk.yaml' });
  expect(formOf(entry({}))).toMatchObject({ kind: 'text', text: '' });
});

test('what lacks or is otherwise than then is said', () => {
  const now = { studio: undefined, environment: '' };
  expect(refillNotes(entry({}), now)).toEqual([expect.stringContaining('is not kept')]);
  expect(refillNotes(entry(path), now)).toEqual([]);
  const text = { text: '', source: draft };
  expect(refillNotes(entry({ source: draft }), { ...now, studio: text })).toEqual([]);
  const changed = { text: '', source: { ...draft, revision: 'later' } };
  expect(refillNotes(entry({ source: draft }), { ...now, studio: changed })).toEqual([
    expect.stringContaining('has changed since'),
  ]);
  // Another draft was chosen meanwhile.
  const other = { text: '', source: { ...draft, ref: 'other.yaml', revision: 'later' } };
  expect(refillNotes(entry({ source: draft }), { ...now, studio: other })).toEqual([]);
  const options = { not_kept: ['overrides', 'metadata'] } as const;
  const kept = { ...path, options: { not_kept: [...options.not_kept] }, environment: 'prod' };
  expect(refillNotes(entry(kept), now)).toEqual([
    expect.stringContaining('overrides and metadata'),
    expect.stringContaining('It ran in prod'),
  ]);
});

test('what cannot be filled in says why', () => {
  expect(refillHindrance(entry(rerun), true)).toContain('page of its run');
  expect(refillHindrance(entry({ source: draft }), false)).toContain('this window has none');
  expect(refillHindrance(entry({ source: draft }), true)).toBeUndefined();
  expect(refillHindrance(entry({}), false)).toBeUndefined();
  // Found again after a crash, without its spec at hand.
  expect(refillHindrance(entry({ source: artifact, digest: null }), true)).toBeUndefined();
});
