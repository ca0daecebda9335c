import { refuse } from '../../contract/studio/errors.ts';
import {
  createProject as createProjectRoute,
  getProject,
  getProjectLimits,
  listProjects,
} from '../../contract/studio/projects.ts';
import { readLimits } from '../analyses/analysis-caps.ts';
import { memberOf, principalOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { createProject } from './create-project.ts';
import { toProjectView } from './project-view.ts';
import { findMemberProject, listMemberProjects } from './projects-repository.ts';

/** Binds the routes of projects. */
export function registerProjectRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(listProjects, async (_input, context) => {
    const rows = await listMemberProjects(deps.db, principalOf(context).id);
    return rows.map(toProjectView);
  });
  app.implement(createProjectRoute, ({ body }, context) =>
    createProject(deps, principalOf(context), body.name),
  );
  app.implement(getProject, async (_input, context) => {
    const { project, principal } = memberOf(context);
    const row = await findMemberProject(deps.db, project.id, principal.id);
    if (row === undefined) throw refuse('project_not_found');
    return toProjectView(row);
  });
  app.implement(getProjectLimits, (_input, context) =>
    readLimits(deps.db, memberOf(context).project),
  );
}
