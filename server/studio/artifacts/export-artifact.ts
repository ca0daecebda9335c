import type { SourceAnalysisState } from '../../contract/studio/artifact-view.ts';
import type { ExportView } from '../../contract/studio/artifacts.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { GapRef } from '../../contract/studio/fields.ts';
import type { AuthoredArtifactRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { listAnalysisHeads } from '../analyses/analyses-repository.ts';
import { recordAct } from '../audit/record-audit.ts';
import type { Member } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { findEffective } from '../gaps/gaps-repository.ts';
import { gateArtifact } from '../govern/open-artifact.ts';
import { findBlockers } from '../govern/portability.ts';
import { governanceFailed, runStages } from '../govern/stages.ts';
import type { Handle } from '../handle.ts';
import { requireStillMember } from '../session/authorize.ts';
import { readArtifact, requireLiveArtifact } from './artifact-view.ts';
import { listAttestations, listComponents } from './artifacts-repository.ts';
import { uniqueGaps } from './provenance-rules.ts';

/** `<stem>.<8 hex of the artifact>.yaml` (studio.md 9.5). */
export function exportFileName(baseRef: string, artifactId: string): string {
  const segment = baseRef.slice(baseRef.lastIndexOf('/') + 1);
  const stem = segment
    .replace(/\.(?:ya?ml|json)$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.+/g, '.')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
    .slice(0, 80);
  return `${stem === '' ? 'spec' : stem}.${artifactId.slice(0, 8)}.yaml`;
}

/** Attestation is proved again from the log; a damaged analysis counts as unknown. */
async function provenState(
  handle: Handle,
  row: AuthoredArtifactRow,
  inherited: readonly string[],
): Promise<SourceAnalysisState> {
  const heads = await listAnalysisHeads(handle, row.project_id, inherited);
  if (heads.some((head) => head.state === 'quarantined')) return 'unknown';
  if (row.source_analysis_state !== 'attested') return row.source_analysis_state;
  for (const pair of await listAttestations(handle, row.id)) {
    const latest = await findEffective(handle, pair.analysis_id, pair.gap_id, pair.revision);
    if (latest?.event !== 'attest') return 'unknown';
  }
  return 'attested';
}

const HANDED_OFF = new Set<SourceAnalysisState>(['clear', 'not_applicable', 'attested']);

/** Refuses while the analysis, a blocking or a manual gap holds the artifact back; all reasons at once. */
export async function requireReady(handle: Handle, row: AuthoredArtifactRow): Promise<void> {
  const view = await readArtifact(handle, row);
  const state = await provenState(handle, row, view.analysis_ids);
  const reasons: string[] = [];
  if (!HANDED_OFF.has(state)) reasons.push(`analysis_${state}`);
  if (view.unresolved_blocking_gaps.length > 0) reasons.push('artifact_not_ready');
  if (view.unacknowledged_manual_gaps.length > 0) reasons.push('artifact_unacknowledged_gaps');
  if (reasons.length === 0) return;
  const gaps: GapRef[] = uniqueGaps([
    ...view.unresolved_blocking_gaps,
    ...view.unacknowledged_manual_gaps,
  ]);
  throw refuse('artifact_not_ready', { details: { reasons, analysis_state: state, gaps } });
}

/** The artifact as spec YAML, when nothing holds it back; gate in the order of studio.md 9.5. */
export async function exportArtifact(
  deps: StudioDeps,
  member: Member,
  artifactId: string,
  signal: AbortSignal,
): Promise<ExportView> {
  const { project, principal } = member;
  const row = await requireLiveArtifact(deps.db, project.id, artifactId);
  await requireReady(deps.db, row);
  const opened = await gateArtifact(deps, row, true);
  const { binding, gated, yaml } = opened;
  const blockers = await findBlockers(deps, opened, signal);
  if (blockers.length > 0) throw refuse('artifact_not_portable', { details: { blockers } });
  const client = await deps.connections.clientFor(deps.db, binding);
  const environment = binding.platform_environment;
  const call = { client, document: gated.document, environment, signal };
  const stages = await runStages(deps, call, 'policy_report');
  if (stages.some((stage) => !stage.ok)) throw governanceFailed(stages);
  const [base] = await listComponents(deps.db, row.id);
  await inTransaction(deps.db, async (trx) => {
    await requireStillMember(trx, project.id, principal.id, 'viewer');
    await recordAct(deps, trx, member, 'export_artifact', {
      artifact_id: row.id,
      revision: row.revision,
    });
  });
  return {
    artifact_id: row.id,
    base_ref: base?.ref ?? null,
    spec_yaml: yaml,
    filename: exportFileName(base?.ref ?? '', row.id),
  };
}
