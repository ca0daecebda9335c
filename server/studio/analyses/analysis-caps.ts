import { refuse } from '../../contract/studio/errors.ts';
import type { ProjectLimits } from '../../contract/studio/projects.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';
import { readCounts } from './analysis-counts-repository.ts';

/** The caps of a project that nobody changed. */
const USUAL = { project_cap: 10_000, principal_cap: 1000, retained_max: 100_000 } as const;

/** How many analyses are live and kept, and how many may be (studio.md 8.3). */
export async function readLimits(handle: Handle, project: ProjectRow): Promise<ProjectLimits> {
  const counts = await readCounts(handle, project);
  const taint_cap = counts.project_cap ?? USUAL.project_cap;
  const principal_taint_cap = counts.principal_cap ?? USUAL.principal_cap;
  const room = taint_cap - counts.live;
  const principalRoom = principal_taint_cap - counts.principal_live;
  return {
    taint_used: counts.live,
    taint_cap,
    principal_taint_used: counts.principal_live,
    principal_taint_cap,
    retained_used: counts.retained,
    retained_max: counts.retained_max ?? USUAL.retained_max,
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
