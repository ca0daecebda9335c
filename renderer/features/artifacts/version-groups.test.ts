import { expect, test } from 'vitest';
import {
  type AuthoredArtifact,
  NO_OVERRIDES,
} from '../../../server/contract/studio/artifact-view.ts';
import { isSameContent, layersText, versionGroups } from './version-groups.ts';

function version(id: string, path: string, change: Partial<AuthoredArtifact> = {}) {
  return {
    id,
    project_id: 'default',
    alias: 'default',
    alias_generation: 1,
    base: { path, revision: 'r' },
    overlays: [],
    overrides_sha256: NO_OVERRIDES,
    revision: 'y',
    created_at: '2026-01-01T00:00:00.000000+00:00',
    analysis_ids: [],
    source_analysis_state: 'clear',
    unacknowledged_manual_gaps: [],
    unresolved_blocking_gaps: [],
    ...change,
  } satisfies AuthoredArtifact;
}

test('versions stand under their draft, each with the one before; the asked draft is first', () => {
  const list = [version('3', 'a'), version('2', 'b'), version('1', 'a')];
  const told = (asked?: string) =>
    versionGroups(list, asked).map(({ ref, rows }) => [
      ref,
      ...rows.map(({ artifact, before }) => [artifact.id, before?.id]),
    ]);
  expect(told()).toEqual([
    ['a', ['3', '1'], ['1', undefined]],
    ['b', ['2', undefined]],
  ]);
  expect(told('b').map(([ref]) => ref)).toEqual(['b', 'a']);
});

test('versions of the same bytes are the same, whatever they are bound to', () => {
  const one = version('1', 'a');
  expect(isSameContent(one, version('2', 'a', { alias: 'prod', alias_generation: 2 }))).toBe(true);
  expect(isSameContent(one, version('2', 'a', { overrides_sha256: 'x' }))).toBe(false);
  const overlays = [{ path: 'o', revision: 'r' }];
  expect(isSameContent(one, version('2', 'a', { overlays }))).toBe(false);
});

test('layers are told in words', () => {
  expect(layersText(version('1', 'a'))).toBe('none');
  const overlays = [{ path: 'o', revision: 'r' }];
  expect(layersText(version('1', 'a', { overlays, overrides_sha256: 'x' }))).toBe(
    '1 overlay, overrides',
  );
});
