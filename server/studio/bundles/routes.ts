import * as contract from '../../contract/studio/bundles.ts';
import { answer } from '../../http/answer.ts';
import { memberOf, principalOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { inspectBundle, openAsProject } from './open-bundle.ts';
import { bundleArtifact } from './write-bundle.ts';

/** Binds the routes of bundles. */
export function registerBundleRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(contract.bundleArtifact, ({ params }, context) =>
    bundleArtifact(deps, memberOf(context), params.artifact_id),
  );
  app.implement(contract.inspectBundle, async ({ body }) =>
    answer(await inspectBundle(deps, body.content)),
  );
  app.implement(contract.openBundle, ({ body }, context) =>
    openAsProject(deps, principalOf(context), body.content),
  );
}
