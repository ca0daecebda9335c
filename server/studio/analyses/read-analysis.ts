import type { AnalysisView, RelatedRef } from '../../contract/studio/analyses.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { Gap } from '../../contract/studio/gaps.ts';
import { analyzerAge } from '../../importers/versions.ts';
import type { AnalysisRow, ProjectRow } from '../../store/studio-tables.ts';
import { inTransaction } from '../../store/transaction.ts';
import { withdrawCarriers } from '../artifacts/artifacts-repository.ts';
import type { StudioDeps } from '../deps.ts';
import { findDraft } from '../drafts/drafts-repository.ts';
import { isRootConfirmed } from '../exposure/exposure.ts';
import { readFile } from '../files/tree-files.ts';
import { listStandingAttestations } from '../gaps/gaps-repository.ts';
import type { Handle } from '../handle.ts';
import { findAnalysis, listRefsOf, quarantineAnalysis } from './analyses-repository.ts';
import {
  type AnalysisRecord,
  parseIds,
  parseRecord,
  recordBinding,
  type StoredGap,
} from './analysis-record.ts';

/** Row of an analysis. @throws Refusal `analysis_not_found`. */
export async function requireAnalysis(
  handle: Handle,
  project: ProjectRow,
  id: string,
): Promise<AnalysisRow> {
  const row = await findAnalysis(handle, project.id, id);
  if (row === undefined) throw refuse('analysis_not_found');
  return row;
}

/** The refusal of detail that was dropped. */
export function reclaimed(row: AnalysisRow) {
  return refuse('analysis_payload_reclaimed', {
    details: {
      analysis_id: row.id,
      blocking: parseIds(row.blocking_gap_ids).length,
      manual: parseIds(row.manual_gap_ids).length,
    },
  });
}

/** One way: the analysis is believed no more, artifacts that carry it become unknown (studio.md 7.2). */
export async function quarantine(deps: StudioDeps, row: AnalysisRow): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await quarantineAnalysis(trx, row);
    await withdrawCarriers(trx, row.id);
  });
  deps.log.error({ analysis_id: row.id }, 'an analysis is damaged and was quarantined');
}

/** Opens and checks the sealed detail; a damaged one is quarantined. */
export async function openRecord(deps: StudioDeps, row: AnalysisRow): Promise<AnalysisRecord> {
  if (row.state === 'quarantined') throw refuse('analysis_quarantined');
  if (row.payload === null) throw reclaimed(row);
  const text = deps.keyring.open(row.payload, recordBinding(row.project_id, row.id));
  const record = text === undefined ? undefined : parseRecord(text, row);
  if (record === undefined) {
    await quarantine(deps, row);
    throw refuse('analysis_quarantined');
  }
  return record;
}

/** A stored gap with its identity. */
export function toGap(analysisId: string, gap: StoredGap): Gap {
  return {
    ref: { analysis_id: analysisId, gap_id: gap.id },
    kind: gap.kind,
    severity: gap.severity,
    source_ref: gap.source_ref,
    spec_ref: gap.spec_ref,
    title: gap.title,
    detail: gap.detail,
  };
}

async function relatedRef(
  deps: StudioDeps,
  project: ProjectRow,
  row: AnalysisRow,
  ref: string,
  view: { standing: RelatedRef['standing_attestations']; readable: boolean },
): Promise<RelatedRef> {
  const draft = await findDraft(deps.db, project.id, ref);
  const present = view.readable ? (await readFile(project.root, ref))?.revision : undefined;
  return {
    path: ref,
    availability: present === undefined ? 'missing' : 'present',
    revision: present ?? draft?.last_known_revision ?? null,
    can_attest: present !== undefined && present !== row.output_sha256,
    standing_attestations: view.standing,
  };
}

/** Everything that the gap page needs (studio.md 8.3). */
export async function readAnalysis(
  deps: StudioDeps,
  project: ProjectRow,
  id: string,
): Promise<AnalysisView> {
  const row = await requireAnalysis(deps.db, project, id);
  const record = await openRecord(deps, row);
  const standing = await listStandingAttestations(deps.db, row.id);
  const readable = await isRootConfirmed(deps.db, project);
  const related: RelatedRef[] = [];
  for (const ref of await listRefsOf(deps.db, row.id)) {
    related.push(await relatedRef(deps, project, row, ref, { standing, readable }));
  }
  return {
    analysis_id: row.id,
    analyzer_version: row.analyzer_version,
    analyzer_age: analyzerAge(row.analyzer_version),
    gaps: record.gaps.map((gap) => toGap(row.id, gap)),
    related_refs: related,
    suggestions: record.suggestions,
  };
}
