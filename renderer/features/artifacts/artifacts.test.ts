import { describe, expect, it } from 'vitest';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { exportChecklist, firstHindrance } from './readiness-model.ts';
import { renewedLayers } from './renewal-model.ts';

const gap = { analysis_id: 'a', gap_id: 'g' };
const artifact: AuthoredArtifact = {
  id: '1',
  project_id: 'default',
  alias: 'default',
  alias_generation: 1,
  base: { path: 'a.yaml', revision: 'r' },
  overlays: [],
  overrides_sha256: 'x',
  revision: 'y',
  created_at: '2026-01-01T00:00:00.000000+00:00',
  analysis_ids: ['a'],
  source_analysis_state: 'clear',
  unacknowledged_manual_gaps: [],
  unresolved_blocking_gaps: [],
};
const portable = { blockers: [] };

describe('exportChecklist', () => {
  it('has no hindrance for a clear, acknowledged, portable artifact', () => {
    expect(firstHindrance(exportChecklist(artifact, portable))).toBeUndefined();
    for (const state of ['attested', 'not_applicable'] as const) {
      const lines = exportChecklist({ ...artifact, source_analysis_state: state }, portable);
      expect(firstHindrance(lines)).toBeUndefined();
    }
  });

  it('names the remedy of each hindrance', () => {
    const remedyOf = (change: Partial<AuthoredArtifact>) =>
      firstHindrance(exportChecklist({ ...artifact, ...change }, portable))?.remedy;
    expect(remedyOf({ source_analysis_state: 'blocked', unresolved_blocking_gaps: [gap] })).toBe(
      'open_gaps',
    );
    expect(remedyOf({ source_analysis_state: 'unknown', analysis_ids: [] })).toBe(
      'assert_not_applicable',
    );
    expect(remedyOf({ source_analysis_state: 'unknown' })).toBe('open_gaps');
    expect(remedyOf({ source_analysis_state: 'stale' })).toBe('new_artifact');
    expect(remedyOf({ unacknowledged_manual_gaps: [gap] })).toBe('acknowledge');
  });

  it('does not promise an export while portability is not known or refused', () => {
    expect(firstHindrance(exportChecklist(artifact, undefined))?.id).toBe('portability');
    const code = 'unsupported_transport' as const;
    const blockers = [
      { code, detail: 'Uses stdio.', spec_ref: 'a.b' },
      { code, detail: 'Uses stdio.', spec_ref: 'c' },
    ];
    const line = firstHindrance(exportChecklist(artifact, { blockers }));
    expect(line?.detail).toContain('2 places tie the spec to this project');
  });
});

describe('renewedLayers', () => {
  const over = { path: 'over.yaml', revision: 'o' };
  const drafts = (change: Readonly<Record<string, string | null>>) =>
    Object.entries({ 'a.yaml': 'r', 'over.yaml': 'o', ...change }).map(([ref, revision]) => ({
      ref,
      revision,
      kind: 'spec',
      capabilities: 'read_write',
      registered_at: artifact.created_at,
      analysis_ids: [],
      can_assert_not_applicable: false,
      not_applicable_asserted: false,
    }));
  const layered = { ...artifact, overlays: [over] };

  it('takes the base as it is now, with the overlays', () => {
    expect(renewedLayers(layered, drafts({ 'a.yaml': 'new' }))).toEqual({
      base: { path: 'a.yaml', revision: 'new' },
      overlays: [over],
    });
  });

  it('wants a look where an overlay changed or a layer is gone', () => {
    expect(renewedLayers(layered, drafts({ 'over.yaml': 'new' }))).toBeUndefined();
    expect(renewedLayers(layered, drafts({ 'over.yaml': null }))).toBeUndefined();
    expect(renewedLayers(layered, drafts({ 'a.yaml': null }))).toBeUndefined();
    expect(renewedLayers(layered, drafts({}).slice(0, 1))).toBeUndefined();
  });
});
