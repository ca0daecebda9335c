import * as contract from '../../contract/studio/gaps.ts';
import { requireAnalysis } from '../analyses/read-analysis.ts';
import { requireLiveArtifact } from '../artifacts/artifact-view.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { acknowledgeGap } from './acknowledge-gap.ts';
import { listAcknowledgements, listResolutionRows } from './gaps-repository.ts';
import { resolveGap } from './resolve-gap.ts';

/** Binds the routes that settle gaps. */
export function registerGapRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(contract.acknowledgeGap, ({ params, body }, context) =>
    acknowledgeGap(deps, memberOf(context), params.artifact_id, body.gap),
  );
  app.implement(contract.listAcknowledgements, async ({ params }, context) => {
    const { project } = memberOf(context);
    const artifact = await requireLiveArtifact(deps.db, project.id, params.artifact_id);
    return listAcknowledgements(deps.db, artifact.id);
  });
  app.implement(contract.resolveGap, ({ params, body }, context) =>
    resolveGap(deps, memberOf(context), params.analysis_id, body),
  );
  app.implement(contract.listResolutions, async ({ params }, context) => {
    const analysis = await requireAnalysis(deps.db, memberOf(context).project, params.analysis_id);
    const rows = await listResolutionRows(deps.db, analysis.id);
    return rows.map((row) => ({
      gap_id: row.gap_id,
      revision: row.revision,
      seq: row.seq,
      event: row.event,
      by_display_name: row.display_name,
      at: row.at,
    }));
  });
}
