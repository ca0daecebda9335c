import * as contract from '../../contract/studio/test-runs.ts';
import { answer } from '../../http/answer.ts';
import { memberOf, principalOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { newestDraftSessions } from './draft-sessions-repository.ts';
import {
  cancelTestRun,
  readCheckpointDiff,
  readCheckpoints,
  readRunGraph,
  readTestRun,
  readTrace,
} from './read-test-run.ts';
import { findRunOrigins } from './run-origins.ts';
import { startTestRun } from './start-test-run.ts';
import { toTestRunView } from './test-run-view.ts';
import { listTestRunRows } from './test-runs-repository.ts';

/** Binds the routes of test runs. */
export function registerTestRunRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(contract.startTestRun, async ({ params, body }, context) => {
    const run = await startTestRun(deps, memberOf(context), body);
    const location = `/api/projects/${params.project_id}/test-runs/${run.id}`;
    return answer(run, { headers: { location } });
  });
  app.implement(contract.listTestRuns, async ({ query }, context) => {
    const filter = { artifactId: query.artifact_id, limit: query.limit };
    const rows = await listTestRunRows(deps.db, memberOf(context).project.id, filter);
    return rows.map((row) => toTestRunView(row, null));
  });
  app.implement(contract.listRunOrigins, ({ query }, context) =>
    findRunOrigins(deps, principalOf(context).id, query.session_ids.split(',')),
  );
  app.implement(contract.listDraftSessions, (_, context) =>
    newestDraftSessions(deps.db, memberOf(context).project.id),
  );
  app.implement(contract.getTestRun, ({ params }, context) =>
    readTestRun(deps, memberOf(context).project, params.test_run_id, context.signal),
  );
  app.implement(contract.cancelTestRun, ({ params }, context) =>
    cancelTestRun(deps, memberOf(context), params.test_run_id),
  );
  app.implement(contract.getTestRunGraph, ({ params }, context) =>
    readRunGraph(deps, memberOf(context).project, params.test_run_id, context.signal),
  );
  app.implement(contract.getTestRunTrace, ({ params, query }, context) =>
    readTrace(deps, memberOf(context).project, params.test_run_id, query, context.signal),
  );
  app.implement(contract.listTestRunCheckpoints, ({ params, query }, context) =>
    readCheckpoints(deps, memberOf(context).project, params.test_run_id, query, context.signal),
  );
  app.implement(contract.diffTestRunCheckpoints, ({ params, query }, context) =>
    readCheckpointDiff(deps, memberOf(context).project, params.test_run_id, query, context.signal),
  );
}
