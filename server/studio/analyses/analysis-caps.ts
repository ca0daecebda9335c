import { refuse } from '../../contract/studio/errors.ts';
import type { ProjectLimits } from '../../contract/studio/projects.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';

const PROJECT_CAP = 10_000;
const PRINCIPAL_CAP = 1000;
const RETAINED_MAX = 100_000;

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
  const room = PROJECT_CAP - used;
  const principalRoom = PRINCIPAL_CAP - principalUsed;
  return {
    taint_used: used,
    taint_cap: PROJECT_CAP,
    principal_taint_used: principalUsed,
    principal_taint_cap: PRINCIPAL_CAP,
    retained_used: await countRetained(handle, project),
    retained_max: RETAINED_MAX,
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
