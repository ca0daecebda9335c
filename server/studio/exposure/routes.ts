import {
  confirmExposure as confirmRoute,
  getExposure,
  getExposureConfirmation,
  getExposurePreflight,
} from '../../contract/studio/exposure.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { confirmExposure, readConfirmation, readExposure, readPreflight } from './exposure.ts';

/** Binds the routes of exposure. */
export function registerExposureRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(getExposure, (_input, context) => readExposure(deps.db, memberOf(context).project));
  app.implement(getExposurePreflight, (_input, context) =>
    readPreflight(deps.db, memberOf(context).project),
  );
  app.implement(getExposureConfirmation, (_input, context) =>
    readConfirmation(deps.db, memberOf(context).project),
  );
  app.implement(confirmRoute, ({ body }, context) =>
    confirmExposure(deps, memberOf(context), body.exposure_digest),
  );
}
