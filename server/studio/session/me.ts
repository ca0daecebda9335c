import type { Me } from '../../contract/studio/session.ts';
import type { PrincipalRow } from '../../store/studio-tables.ts';
import type { StudioDeps } from '../deps.ts';
import { toProjectView } from '../projects/project-view.ts';
import { listMemberProjects } from '../projects/projects-repository.ts';

/** A signed-in principal and the projects that they may open. */
export async function meOf(deps: StudioDeps, principal: PrincipalRow): Promise<Me> {
  const projects = await listMemberProjects(deps.db, principal.id);
  return {
    principal_id: principal.id,
    display_name: principal.display_name,
    auth_mode: deps.config.authMode,
    projects: projects.map(toProjectView),
  };
}
