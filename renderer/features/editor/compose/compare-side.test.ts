import { expect, test } from 'vitest';
import {
  type AuthoredArtifact,
  NO_OVERRIDES,
} from '../../../../server/contract/studio/artifact-view.ts';
import { readSide, sideGroups, sideText } from './compare-side.ts';

const plain: AuthoredArtifact = {
  id: 'one',
  project_id: 'default',
  alias: 'default',
  alias_generation: 1,
  base: { path: 'a/desk.yaml', revision: 'r' },
  overlays: [],
  overrides_sha256: NO_OVERRIDES,
  revision: '0123456789',
  created_at: '2026-01-01T00:00:00.000000+00:00',
  analysis_ids: [],
  source_analysis_state: 'clear',
  unacknowledged_manual_gaps: [],
  unresolved_blocking_gaps: [],
};

function draft(ref: string, kind = 'spec') {
  return {
    ref,
    kind,
    revision: 'r',
    capabilities: 'read',
    registered_at: '',
    analysis_ids: [],
    can_assert_not_applicable: false,
    not_applicable_asserted: false,
  };
}

test('a side is read from an address as it was written there; anything else is none', () => {
  const sides = [
    { kind: 'artifact', id: 'x' },
    { kind: 'next', id: 'x' },
    { kind: 'draft', ref: 'a:b/c.yaml' },
  ] as const;
  for (const side of sides) expect(readSide(sideText(side))).toEqual(side);
  for (const text of [undefined, '', 'artifact:', 'other:x']) {
    expect(readSide(text)).toBeUndefined();
  }
});

test('versions stand by their draft, with the draft as it is now and under their layers', () => {
  const layered = { ...plain, id: 'two', overrides_sha256: 'x' };
  const gone = { ...plain, id: 'three', base: { path: 'gone.yaml', revision: 'r' } };
  const drafts = [draft('a/desk.yaml'), draft('new.yaml'), draft('over.yaml', 'overlay')];
  const groups = sideGroups([layered, plain, gone], drafts);
  expect(groups.map(({ group, items }) => [group, ...items.map(({ value }) => value)])).toEqual([
    ['a/desk.yaml', 'artifact:two', 'artifact:one', 'draft:a/desk.yaml', 'next:two'],
    ['gone.yaml', 'artifact:three'],
    ['new.yaml', 'draft:new.yaml'],
  ]);
});
