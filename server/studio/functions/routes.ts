import { writeFunction as writeFunctionRoute } from '../../contract/studio/functions.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { writeFunction } from './write-function.ts';

/** Binds the routes of project functions. */
export function registerFunctionRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(writeFunctionRoute, ({ body }, context) =>
    writeFunction(deps, memberOf(context), body),
  );
}
