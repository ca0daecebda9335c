import { expect, test } from 'vitest';
import type { LaunchHistoryEntry } from '../../../server/contract/dashboard/launch.ts';
import type { JsonObject } from '../../../server/kernel/json.ts';
import {
  type Launched,
  refilledForm,
  refillHindrance,
  refillNotes,
} from './launch-refill-model.ts';

function entry(more: Partial<LaunchHistoryEntry>): LaunchHistoryEntry {
  return {
    id: '1',
    environment: null,
    mode: 'inline',
    spec_path: null,
    digest: 'sha256:aa',
    label: 'desk',
    run_id: 'run-1',
    created_by: 'static-operator',
    created_at: '2026-11-21T12:00:00.000000+00:00',
    ...more,
  };
}

function launched(
  from: LaunchHistoryEntry | undefined,
  metadata?: JsonObject,
  more: Partial<Launched> = {},
): Launched {
  const run =
    metadata === undefined ? undefined : { input_text: 'hello', session_id: 's-9', metadata };
  return { entry: from, run, lost: 'gone', hasStudio: true, ...more };
}

function notesOf(of: Launched, now: Partial<Parameters<typeof refillNotes>[3]> = {}) {
  const then = refilledForm(of);
  return refillNotes(of, then, then, { studio: undefined, environment: '', ...now });
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
const options = {
  overlays: ['a.yaml', 'b.yaml'],
  skills: { add: ['maps'], disable: ['mail'] },
  session_id: 's',
  strict: false,
  timeout: 5,
};
const told = {
  environment: 'dev',
  overlays: ['a.yaml', 'b.yaml'],
  overrides: { agent: { name: 'front' } },
  skills_overlay: { add: ['maps'], disable: ['mail'] },
  timeout_seconds: 5,
  frozen_spec: { base: { version: 'v1', agent: { name: 'desk' } } },
  caller_metadata: { ticket: 'R-118' },
};
const optionFields = {
  overlays: 'a.yaml\nb.yaml',
  addSkills: ['maps'],
  disableSkills: ['mail'],
  timeout: '5',
};

test('a row of the history fills in its source and options, and what its run was given (OD-090)', () => {
  const own = { ...optionFields, session: 's', strict: false };
  expect(
    refilledForm(launched(entry({ source: draft, environment: 'dev', options }))),
  ).toMatchObject({
    kind: 'draft',
    project: 'p',
    draft: 'specs/desk.yaml',
    environment: 'dev',
    options: own,
    input: '',
  });
  expect(refilledForm(launched(entry({ source: artifact, options }), told))).toMatchObject({
    kind: 'artifact',
    artifact: 'a1',
    input: 'hello',
    options: { ...own, overrides: 'agent:\n  name: front\n', metadata: 'ticket: R-118\n' },
  });
  expect(refilledForm(launched(entry(path)))).toMatchObject({ kind: 'path', path: 'desk.yaml' });
  expect(refilledForm(launched(entry({})))).toMatchObject({ kind: 'text', text: '' });
  // The text that was pasted is what its run kept.
  const text = refilledForm(launched(entry({}), told)).text;
  expect(text).toContain('name: desk');
});

test('a run fills in the form by itself, of a draft, an artifact, a file and a text', () => {
  const of = (more: JsonObject, hasStudio = true) =>
    refilledForm(launched(undefined, { ...told, ...more }, { hasStudio }));
  const authored = (authoring: JsonObject) => ({ caller_metadata: { authoring, ticket: 1 } });
  const fromDraft = authored({ project_id: 'p', draft: 'specs/desk.yaml', revision: 'one' });
  expect(of(fromDraft)).toMatchObject({
    kind: 'draft',
    draft: 'specs/desk.yaml',
    environment: 'dev',
    // The session of a run of the studio is that run's alone.
    options: { ...optionFields, session: '', metadata: 'ticket: 1\n' },
    input: 'hello',
  });
  expect(of(authored({ project_id: 'p', artifact_id: 'a1' }))).toMatchObject({
    kind: 'artifact',
    project: 'p',
    artifact: 'a1',
  });
  expect(of({ spec_path: 'desk.yaml' })).toMatchObject({ kind: 'path', path: 'desk.yaml' });
  expect(of({})).toMatchObject({ kind: 'text', options: { session: 's-9' } });
  // Without a studio, what the run kept is launched.
  const alone = of(fromDraft, false);
  expect(alone.kind).toBe('text');
  expect(alone.text).toContain('name: desk');
});

test('what another platform tells otherwise fills in nothing', () => {
  const odd = { overlays: 'a', overrides: 3, skills_overlay: [], timeout_seconds: 'soon' };
  const form = refilledForm(launched(undefined, odd));
  expect(form).toMatchObject({ kind: 'text', text: '', environment: '' });
  expect(form.options).toMatchObject({ overlays: '', overrides: '', timeout: '' });
});

test('what lacks or is otherwise than then is said', () => {
  expect(notesOf(launched(entry({})))).toEqual([
    expect.stringContaining('the input with it'),
    expect.stringContaining('is not kept'),
  ]);
  expect(notesOf(launched(entry(path), undefined, { lost: 'unread' }))).toEqual([
    expect.stringContaining('was not read'),
  ]);
  expect(notesOf(launched(entry({ ...path, run_id: null }), undefined, { lost: 'none' }))).toEqual([
    expect.stringContaining('which run it made'),
  ]);
  const here = { environment: 'dev' };
  const filled = expect.stringContaining('with its input');
  expect(notesOf(launched(entry({ ...path, environment: 'dev' }), told), here)).toEqual([filled]);
  expect(notesOf(launched(entry({}), told), here)).toEqual([
    filled,
    expect.stringContaining('without comments'),
  ]);
  const text = { text: '', source: draft };
  const ofDraft = launched(entry({ source: draft }), {});
  expect(notesOf(ofDraft, { studio: text })).toEqual([filled]);
  const changed = { text: '', source: { ...draft, revision: 'later' } };
  expect(notesOf(ofDraft, { studio: changed })).toEqual([
    filled,
    expect.stringContaining('has changed since'),
  ]);
  // Another draft was chosen meanwhile.
  const other = { text: '', source: { ...draft, ref: 'other.yaml', revision: 'later' } };
  expect(notesOf(ofDraft, { studio: other })).toEqual([filled]);
  const lacking = entry({
    ...path,
    options: { not_kept: ['overrides', 'metadata'] },
    environment: 'prod',
  });
  expect(notesOf(launched(lacking)).slice(1)).toEqual([
    expect.stringContaining('overrides and metadata'),
    expect.stringContaining('It ran in prod'),
  ]);
});

test('what was masked, tried out or begun in the middle is said', () => {
  const own = { caller_metadata: { key: '[REDACTED]', rehearsal: { steps: {} } } };
  const more = { ...own, spec_path: 'desk.yaml', rerun_of: { run_id: 'r0' } };
  expect(notesOf(launched(undefined, more)).slice(1)).toEqual([
    expect.stringContaining('asks models and tools'),
    expect.stringContaining('begins at the start'),
    expect.stringContaining('masked a secret'),
  ]);
  const alone = launched(entry({ source: draft }), told, { hasStudio: false });
  expect(notesOf(alone, { environment: 'dev' })[1]).toContain('this window has none');
});

test('what cannot be filled in says why', () => {
  const rerun = { digest: null, label: 'run r again' } as const;
  expect(refillHindrance(entry(rerun), true)).toContain('page of its run');
  const unknown = entry({ source: draft, run_id: null });
  expect(refillHindrance(unknown, false)).toContain('this window has none');
  expect(refillHindrance(entry({ source: draft }), false)).toBeUndefined();
  expect(refillHindrance(unknown, true)).toBeUndefined();
  expect(refillHindrance(entry({}), false)).toBeUndefined();
  // Found again after a crash, without its spec at hand.
  expect(refillHindrance(entry({ source: artifact, digest: null }), true)).toBeUndefined();
});
