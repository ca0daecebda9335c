import { refuse } from '../../contract/studio/errors.ts';
import type { ProjectLimits } from '../../contract/studio/projects.ts';
import type { ProjectRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';
import { listLiveByOutput } from './analyses-repository.ts';
import {
  type AnalysisCounts,
  readCounts,
  readMostOfOneDraft,
} from './analysis-counts-repository.ts';

/** The caps of a project that nobody changed. */
const USUAL = { project_cap: 10_000, principal_cap: 1000, retained_max: 100_000 } as const;

function capsOf(counts: AnalysisCounts) {
  return {
    project: counts.project_cap ?? USUAL.project_cap,
    principal: counts.principal_cap ?? USUAL.principal_cap,
    retained: counts.retained_max ?? USUAL.retained_max,
  };
}

/** How many analyses are live and kept, and how many may be (studio.md 8.3). */
export async function readLimits(handle: Handle, project: ProjectRow): Promise<ProjectLimits> {
  const counts = await readCounts(handle, project.id);
  const most = await readMostOfOneDraft(handle, project.quota_principal_id);
  const caps = capsOf(counts);
  return {
    taint_used: counts.live,
    taint_cap: caps.project,
    principal_taint_used: most,
    principal_taint_cap: caps.principal,
    retained_used: counts.retained,
    retained_max: caps.retained,
    nearest_cap: caps.project - counts.live < caps.principal - most ? 'project' : 'principal',
  };
}

/**
 * Refuses another analysis of these bytes beyond the caps (importers.md 1, check 18). What a
 * principal may have is counted for each draft: a person imports as many files as the project holds.
 */
export async function requireRoom(
  handle: Handle,
  project: ProjectRow,
  outputSha256: string,
): Promise<void> {
  const counts = await readCounts(handle, project.id);
  const caps = capsOf(counts);
  if (counts.live >= caps.project) {
    const details = { scope: 'project', used: counts.live, cap: caps.project };
    throw refuse('analysis_taint_full', { details });
  }
  const used = (await listLiveByOutput(handle, project.id, outputSha256)).length;
  if (used >= caps.principal) {
    const details = { scope: 'principal', used, cap: caps.principal };
    throw refuse('analysis_taint_full', { details });
  }
  if (counts.retained >= caps.retained) {
    const details = { retained: counts.retained, max: caps.retained };
    throw refuse('analysis_taint_retention_full', { details });
  }
}
