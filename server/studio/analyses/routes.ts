import {
  getAnalysis,
  getAnalysisCanvas,
  getGenerated,
  listAnalyses,
} from '../../contract/studio/analyses.ts';
import { listAnalysisEntries } from '../../contract/studio/analysis-entries.ts';
import { getAnalysisLedger } from '../../contract/studio/ledger.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { listLiveByOutput } from './analyses-repository.ts';
import { listEntries } from './list-entries.ts';
import { openRecord, readAnalysis, requireAnalysis } from './read-analysis.ts';
import { readLedger } from './read-ledger.ts';

/** Binds the routes of analyses. */
export function registerAnalysisRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(getAnalysis, ({ params }, context) =>
    readAnalysis(deps, memberOf(context).project, params.analysis_id),
  );
  app.implement(getAnalysisCanvas, async ({ params }, context) => {
    const { project } = memberOf(context);
    const row = await requireAnalysis(deps.db, project, params.analysis_id);
    return (await openRecord(deps, row)).canvas;
  });
  app.implement(getAnalysisLedger, async ({ params, query }, context) => {
    const { project } = memberOf(context);
    return readLedger(deps, await requireAnalysis(deps.db, project, params.analysis_id), query);
  });
  app.implement(getGenerated, async ({ params }, context) => {
    const { project } = memberOf(context);
    const row = await requireAnalysis(deps.db, project, params.analysis_id);
    const { generated } = await openRecord(deps, row);
    return { spec_yaml: generated, revision: row.output_sha256, created_at: row.created_at };
  });
  app.implement(listAnalyses, ({ query }, context) =>
    listLiveByOutput(deps.db, memberOf(context).project.id, query.output_sha256),
  );
  app.implement(listAnalysisEntries, ({ query }, context) =>
    listEntries(deps, memberOf(context).project, query),
  );
}
