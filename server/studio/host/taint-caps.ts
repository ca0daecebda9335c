import type { ProjectLimits } from '../../contract/studio/projects.ts';
import { readLimits } from '../analyses/analysis-caps.ts';
import { storeCaps } from '../analyses/analysis-counts-repository.ts';
import { changeAsOperator, type HostDeps, requireProject } from './host-deps.ts';
import { refuseHost } from './host-refusals.ts';

/** New caps; what is left out stays. */
export interface CapInput {
  readonly project: string;
  readonly project_cap?: number | undefined;
  readonly per_principal?: number | undefined;
  readonly retained_max?: number | undefined;
}

/** Sets how many analyses a project may hold, never below what it holds (studio.md 8.3, 20). */
export async function setTaintCap(deps: HostDeps, input: CapInput): Promise<ProjectLimits> {
  return changeAsOperator(deps, 'host.set_taint_cap', async (deps) => {
    const project = await requireProject(deps, input.project);
    const now = await readLimits(deps.db, project);
    const caps = {
      project_cap: input.project_cap ?? now.taint_cap,
      principal_cap: input.per_principal ?? now.principal_taint_cap,
      retained_max: input.retained_max ?? now.retained_max,
    };
    const fits =
      caps.project_cap >= now.taint_used &&
      caps.principal_cap >= now.principal_taint_used &&
      caps.retained_max >= now.retained_used;
    if (!fits) throw refuseHost('cap_below_usage');
    await storeCaps(deps.db, { project_id: project.id, ...caps });
    const answer = await readLimits(deps.db, project);
    return { answer, project_id: project.id, detail: caps };
  });
}
