import { refuse } from '../../contract/studio/errors.ts';
import {
  finishOidcLogin,
  getMe,
  login,
  logout,
  startOidcLogin,
} from '../../contract/studio/session.ts';
import { principalOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { toProjectView } from '../projects/project-view.ts';
import { listMemberProjects } from '../projects/projects-repository.ts';

/** Who is signed in. The login routes are of the other sign-in modes and say so. */
export function registerSessionRoutes(app: StudioApp, deps: StudioDeps): void {
  const unavailable = () => {
    throw refuse('login_unavailable', { details: { auth_mode: deps.config.authMode } });
  };
  app.implement(getMe, async (_input, context) => {
    const principal = principalOf(context);
    const projects = await listMemberProjects(deps.db, principal.id);
    return {
      principal_id: principal.id,
      display_name: principal.display_name,
      auth_mode: deps.config.authMode,
      projects: projects.map(toProjectView),
    };
  });
  app.implement(login, unavailable);
  app.implement(logout, unavailable);
  app.implement(startOidcLogin, unavailable);
  app.implement(finishOidcLogin, unavailable);
}
