import { refuse } from '../../contract/studio/errors.ts';
import type { ProjectLimits } from '../../contract/studio/projects.ts';
import type { AnalysisCapRow, ProjectRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

/** The caps of a project that nobody changed. */
const USUAL = { project_cap: 10_000, principal_cap: 1000, retained_max: 100_000 } as const;

async function capsOf(
  handle: Handle,
  project: ProjectRow,
): Promise<Omit<AnalysisCapRow, 'project_id'>> {
  const row = await handle
    .selectFrom('analysis_cap')
    .select(['project_cap', 'principal_cap', 'retained_max'])
    .where('project_id', '=', project.id)
    .executeTakeFirst();
  return row ?? USUAL;
}

/** Replaces the caps of a project. */
export async function storeCaps(handle: Handle, row: AnalysisCapRow): Promise<void> {
  await handle
    .insertInto('analysis_cap')
    .values(row)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
    .execute();
}

async function countLive(handle: Handle, project: ProjectRow): Promise<number> {
  const { count } = await handle
    .selectFrom('analysis')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', project.id)
    .where('superseded_by', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

async function countLiveOfPrincipal(handle: Handle, principalId: string): Promise<number> {
  const { count } = await handle
    .selectFrom('analysis')
    .innerJoin('project', 'project.id', 'analysis.project_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project.quota_principal_id', '=', principalId)
    .where('analysis.superseded_by', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

async function countRetained(handle: Handle, project: ProjectRow): Promise<number> {
  const { count } = await handle
    .selectFrom('analysis')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow();
  return count;
}

/** How many analyses are live and kept, and how many may be (studio.md 8.3). */
export async function readLimits(handle: Handle, project: ProjectRow): Promise<ProjectLimits> {
  const used = await countLive(handle, project);
  const principalUsed = await countLiveOfPrincipal(handle, project.quota_principal_id);
  const caps = await capsOf(handle, project);
  const room = caps.project_cap - used;
  const principalRoom = caps.principal_cap - principalUsed;
  return {
    taint_used: used,
    taint_cap: caps.project_cap,
    principal_taint_used: principalUsed,
    principal_taint_cap: caps.principal_cap,
    retained_used: await countRetained(handle, project),
    retained_max: caps.retained_max,
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
