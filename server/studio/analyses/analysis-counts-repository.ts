import { sql } from 'kysely';
import type { AnalysisCapRow, ProjectRow } from '../../store/studio-tables.ts';
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
  readonly principal_live: number;
  readonly retained: number;
  /** Null for all three where nobody chose. */
  readonly project_cap: number | null;
  readonly principal_cap: number | null;
  readonly retained_max: number | null;
}

/** In one statement, since every import asks. */
export async function readCounts(handle: Handle, project: ProjectRow): Promise<AnalysisCounts> {
  const { id, quota_principal_id: principal } = project;
  const { rows } = await sql<AnalysisCounts>`SELECT
    (SELECT count(*) FROM analysis WHERE project_id = ${id} AND superseded_by IS NULL) AS live,
    (SELECT count(*) FROM analysis JOIN project ON project.id = analysis.project_id
      WHERE project.quota_principal_id = ${principal} AND analysis.superseded_by IS NULL)
      AS principal_live,
    (SELECT count(*) FROM analysis WHERE project_id = ${id}) AS retained,
    cap.project_cap, cap.principal_cap, cap.retained_max
    FROM (SELECT 1) AS one LEFT JOIN analysis_cap AS cap ON cap.project_id = ${id}`.execute(handle);
  const [counts] = rows;
  if (counts === undefined) throw new TypeError('counts are always answered');
  return counts;
}
