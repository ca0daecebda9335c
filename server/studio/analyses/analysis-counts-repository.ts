import { sql } from 'kysely';
import type { AnalysisCapRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** Replaces the caps of a project. */
export async function storeCaps(handle: Handle, row: AnalysisCapRow): Promise<void> {
  await handle
    .insertInto('analysis_cap')
    .values(row)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
    .execute();
}

/** Analyses of a project, and the caps that an operator chose for it. */
export interface AnalysisCounts {
  readonly live: number;
  readonly retained: number;
  /** Null for all three where nobody chose. */
  readonly project_cap: number | null;
  readonly principal_cap: number | null;
  readonly retained_max: number | null;
}

/** In one statement, since every import asks. */
export async function readCounts(handle: Handle, projectId: string): Promise<AnalysisCounts> {
  const { rows } = await sql<AnalysisCounts>`SELECT
    (SELECT count(*) FROM analysis WHERE project_id = ${projectId} AND superseded_by IS NULL)
      AS live,
    (SELECT count(*) FROM analysis WHERE project_id = ${projectId}) AS retained,
    cap.project_cap, cap.principal_cap, cap.retained_max
    FROM (SELECT 1) AS one
    LEFT JOIN analysis_cap AS cap ON cap.project_id = ${projectId}`.execute(handle);
  const [counts] = rows;
  if (counts === undefined) throw new TypeError('counts are always answered');
  return counts;
}

/** The most live analyses that one draft has, in the projects that are charged to a principal. */
export async function readMostOfOneDraft(handle: Handle, principalId: string): Promise<number> {
  const { rows } = await sql<{ most: number }>`SELECT coalesce(max(live), 0) AS most FROM (
    SELECT count(*) AS live FROM analysis JOIN project ON project.id = analysis.project_id
    WHERE project.quota_principal_id = ${principalId} AND analysis.superseded_by IS NULL
    GROUP BY analysis.project_id, analysis.output_sha256) AS drafts`.execute(handle);
  return rows[0]?.most ?? 0;
}
