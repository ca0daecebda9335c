import { sql } from 'kysely';
import { refuse } from '../../contract/studio/errors.ts';
import type { ProjectLimits } from '../../contract/studio/projects.ts';
import type { AnalysisCapRow, ProjectRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** The caps of a project that nobody changed. */
const USUAL = { project_cap: 10_000, principal_cap: 1000, retained_max: 100_000 } as const;

/** Replaces the caps of a project. */
export async function storeCaps(handle: Handle, row: AnalysisCapRow): Promise<void> {
  await handle
    .insertInto('analysis_cap')
    .values(row)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
    .execute();
}

interface Counts extends Omit<AnalysisCapRow, 'project_id'> {
  readonly live: number;
  readonly principal_live: number;
  readonly retained: number;
}

/** In one statement, since every import asks. */
async function readCounts(handle: Handle, project: ProjectRow): Promise<Counts> {
  const { id, quota_principal_id: principal } = project;
  const { rows } = await sql<Record<keyof Counts, number | null>>`SELECT
    (SELECT count(*) FROM analysis WHERE project_id = ${id} AND superseded_by IS NULL) AS live,
    (SELECT count(*) FROM analysis JOIN project ON project.id = analysis.project_id
      WHERE project.quota_principal_id = ${principal} AND analysis.superseded_by IS NULL)
      AS principal_live,
    (SELECT count(*) FROM analysis WHERE project_id = ${id}) AS retained,
    cap.project_cap, cap.principal_cap, cap.retained_max
    FROM (SELECT 1) LEFT JOIN analysis_cap AS cap ON cap.project_id = ${id}`.execute(handle);
  const [row] = rows;
  return {
    live: row?.live ?? 0,
    principal_live: row?.principal_live ?? 0,
    retained: row?.retained ?? 0,
    project_cap: row?.project_cap ?? USUAL.project_cap,
    principal_cap: row?.principal_cap ?? USUAL.principal_cap,
    retained_max: row?.retained_max ?? USUAL.retained_max,
  };
}

/** How many analyses are live and kept, and how many may be (studio.md 8.3). */
export async function readLimits(handle: Handle, project: ProjectRow): Promise<ProjectLimits> {
  const counts = await readCounts(handle, project);
  const room = counts.project_cap - counts.live;
  const principalRoom = counts.principal_cap - counts.principal_live;
  return {
    taint_used: counts.live,
    taint_cap: counts.project_cap,
    principal_taint_used: counts.principal_live,
    principal_taint_cap: counts.principal_cap,
    retained_used: counts.retained,
    retained_max: counts.retained_max,
    nearest_cap: room < principalRoom ? 'project' : 'principal',
  };
}

/** Refuses another analysis beyond the caps (importers.md 1, check 18). */
export async function requireRoom(handle: Handle, project: ProjectRow): Promise<void> {
  const limits = await readLimits(handle, project);
  if (limits.taint_used >= limits.taint_cap) {
    const details = { scope: 'project', used: limits.taint_used, cap: limits.taint_cap };
    throw refuse('analysis_taint_full', { details });
  }
  if (limits.principal_taint_used >= limits.principal_taint_cap) {
    const used = limits.principal_taint_used;
    const details = { scope: 'principal', used, cap: limits.principal_taint_cap };
    throw refuse('analysis_taint_full', { details });
  }
  if (limits.retained_used >= limits.retained_max) {
    const details = { retained: limits.retained_used, max: limits.retained_max };
    throw refuse('analysis_taint_retention_full', { details });
  }
}
