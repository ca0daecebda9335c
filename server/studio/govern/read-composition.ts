import { refuse } from '../../contract/studio/errors.ts';
import type { CompositionView } from '../../contract/studio/govern.ts';
import { readArtifact, requireLiveArtifact } from '../artifacts/artifact-view.ts';
import { snapshotText } from '../artifacts/compose.ts';
import { openSnapshot } from '../artifacts/snapshots.ts';
import type { StudioDeps } from '../deps.ts';
import { told } from './draft-reader.ts';

/**
 * What an artifact is made of, from its frozen bytes (contract-notes, studio 18).
 * @throws Refusal `artifact_not_found`, `artifact_deleted`, `snapshot_unavailable`,
 * `snapshot_corrupt`, `spec_too_complex`.
 */
export async function readComposition(
  deps: StudioDeps,
  projectId: string,
  artifactId: string,
): Promise<CompositionView> {
  const row = await requireLiveArtifact(deps.db, projectId, artifactId);
  const parts = await openSnapshot(deps, projectId, row.snapshot_hash);
  const size = parts.reduce((sum, part) => sum + part.len, 0);
  const { overrides, composed } = told(await deps.drafts.unfolded(size, parts));
  if (composed === null) throw refuse('spec_too_complex');
  const artifact = await readArtifact(deps.db, row);
  const texts = parts.filter(({ role }) => role !== 'overrides').map(snapshotText);
  const [base, ...overlays] = [artifact.base, ...artifact.overlays].map((ref, at) => ({
    ...ref,
    text: texts[at] ?? '',
  }));
  if (base === undefined) throw new TypeError('an artifact has no base');
  const overrides_sha256 = row.overrides_sha256;
  return { ...composed, base, overlays, overrides, overrides_sha256 };
}
