import * as contract from '../../contract/studio/git.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { readGit, readHead } from './git.ts';

/** Binds the routes of what git knows of the project's folder. */
export function registerGitRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(contract.getGit, (_input, context) => readGit(deps, memberOf(context)));
  app.implement(contract.readHeadText, ({ params }, context) =>
    readHead(deps, memberOf(context), params.ref),
  );
}
