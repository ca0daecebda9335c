import type { AuthoredArtifact } from '../../contract/studio/artifact-view.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { GapRef } from '../../contract/studio/fields.ts';
import type { AuthoredArtifactRow } from '../../store/studio-tables.ts';
import { listAnalysisHeads } from '../analyses/analyses-repository.ts';
import { parseIds } from '../analyses/analysis-record.ts';
import { listAcknowledged } from '../gaps/gaps-repository.ts';
import type { Handle } from '../handle.ts';
import {
  findArtifact,
  listComponents,
  listInheritedAnalyses,
  listUnresolved,
} from './artifacts-repository.ts';

/** An artifact that is there and was not deleted. @throws Refusal `artifact_not_found`, `artifact_deleted`. */
export async function requireLiveArtifact(
  handle: Handle,
  projectId: string,
  id: string,
): Promise<AuthoredArtifactRow> {
  const row = await findArtifact(handle, projectId, id);
  if (row === undefined) throw refuse('artifact_not_found');
  if (row.deleted_at !== null) throw refuse('artifact_deleted');
  return row;
}

async function unacknowledged(
  handle: Handle,
  artifact: AuthoredArtifactRow,
  inherited: readonly string[],
): Promise<GapRef[]> {
  const done = await listAcknowledged(handle, artifact.id);
  const acknowledged = new Set(done.map((row) => `${row.analysis_id}\u0000${row.gap_id}`));
  const heads = await listAnalysisHeads(handle, artifact.project_id, inherited);
  return heads
    .flatMap((head) =>
      parseIds(head.manual_gap_ids).map((gap_id) => ({ analysis_id: head.id, gap_id })),
    )
    .filter((gap) => !acknowledged.has(`${gap.analysis_id}\u0000${gap.gap_id}`));
}

/** The artifact as it stands now: frozen parts from its rows, open gaps from the log. */
export async function readArtifact(
  handle: Handle,
  row: AuthoredArtifactRow,
): Promise<AuthoredArtifact> {
  const components = await listComponents(handle, row.id);
  const [base, ...overlays] = components.map(({ ref, revision }) => ({ path: ref, revision }));
  if (base === undefined) throw new TypeError('an artifact has no base');
  const inherited = await listInheritedAnalyses(handle, row.id);
  return {
    id: row.id,
    project_id: row.project_id,
    alias: row.alias,
    alias_generation: row.alias_generation,
    base,
    overlays,
    overrides_sha256: row.overrides_sha256,
    revision: row.revision,
    created_at: row.created_at,
    analysis_ids: inherited,
    source_analysis_state: row.source_analysis_state,
    unacknowledged_manual_gaps: await unacknowledged(handle, row, inherited),
    unresolved_blocking_gaps: await listUnresolved(handle, row.id),
  };
}
