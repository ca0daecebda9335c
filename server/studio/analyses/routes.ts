import { getAnalysis, listAnalyses } from '../../contract/studio/analyses.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { listLiveByOutput } from './analyses-repository.ts';
import { readAnalysis } from './read-analysis.ts';

export function addAnalysisRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(getAnalysis, ({ params }, context) =>
    readAnalysis(deps, memberOf(context).project, params.analysis_id),
  );
  app.implement(listAnalyses, ({ query }, context) =>
    listLiveByOutput(deps.db, memberOf(context).project.id, query.output_sha256),
  );
}
