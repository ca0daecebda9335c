import * as contract from '../../contract/studio/artifacts.ts';
import { answer } from '../../http/answer.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { openArtifact } from '../govern/open-artifact.ts';
import { findBlockers } from '../govern/portability.ts';
import { readArtifact, requireLiveArtifact } from './artifact-view.ts';
import { listLiveArtifacts } from './artifacts-repository.ts';
import { createArtifact } from './create-artifact.ts';
import { deleteArtifact } from './delete-artifact.ts';
import { exportArtifact } from './export-artifact.ts';

/** Binds the routes of artifacts. */
export function registerArtifactRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(contract.createArtifact, ({ body }, context) =>
    createArtifact(deps, memberOf(context), body),
  );
  app.implement(contract.listArtifacts, async (_input, context) => {
    const rows = await listLiveArtifacts(deps.db, memberOf(context).project.id);
    return Promise.all(rows.map((row) => readArtifact(deps.db, row)));
  });
  app.implement(contract.getArtifact, async ({ params }, context) => {
    const { project } = memberOf(context);
    const row = await requireLiveArtifact(deps.db, project.id, params.artifact_id);
    return readArtifact(deps.db, row);
  });
  app.implement(contract.deleteArtifact, async ({ params }, context) => {
    await deleteArtifact(deps, memberOf(context), params.artifact_id);
    return answer(undefined);
  });
  app.implement(contract.exportArtifact, ({ params }, context) =>
    exportArtifact(deps, memberOf(context), params.artifact_id, context.signal),
  );
  app.implement(contract.getPortability, async ({ params }, context) => {
    const opened = await openArtifact(deps, memberOf(context).project, params.artifact_id);
    return { blockers: await findBlockers(deps, opened, context.signal) };
  });
}
