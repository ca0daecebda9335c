import {
  diffCheckpoints as diffRoute,
  getRecovery,
  getReplay,
  getRunGraph,
  getRunItems,
  getRunPolicyReport,
  getTrace,
  listCheckpoints,
} from '../../contract/platform/run-reads.ts';
import { getCredentialNeeds } from '../../contract/platform/security.ts';
import { answerText } from '../../http/answer.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { PlatformDeps } from '../deps.ts';
import type { Principal } from '../principal.ts';
import { getRunRow, getShortRow } from '../run-record/get-run.ts';
import { diffCheckpoints } from './checkpoint-diff.ts';
import { checkpointList } from './checkpoint-list.ts';
import { credentialNeeds } from './credential-needs.ts';
import { runGraphView, runPolicyReport } from './frozen-views.ts';
import { toRecovery, toReplay } from './replay-context.ts';
import { toRunItems } from './run-items.ts';
import { waitForNews } from './trace-news.ts';
import { traceText } from './trace-view.ts';

/** The reads of one run. */
export function registerRunReadRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  app.implement(getCredentialNeeds, ({ query }) => credentialNeeds(deps, query.runs));
  app.implement(getTrace, async ({ params, query }, { principal, signal }) => {
    if (await waitForNews(deps, params.run_id, query, signal)) principal.uncount();
    return answerText(await traceText(deps, params.run_id, query));
  });
  app.implement(diffRoute, ({ params, query }) =>
    diffCheckpoints(deps, getRunRow(deps, params.run_id), {
      from: query.from_sequence,
      to: query.to_sequence,
    }),
  );
  app.implement(listCheckpoints, ({ params, query }) => checkpointList(deps, params.run_id, query));
  app.implement(getRecovery, ({ params }) => toRecovery(deps, getRunRow(deps, params.run_id)));
  app.implement(getReplay, ({ params }) => toReplay(deps, getRunRow(deps, params.run_id)));
  app.implement(getRunItems, ({ params, query }) =>
    toRunItems(deps, getRunRow(deps, params.run_id), query),
  );
  app.implement(getRunGraph, ({ params }) => runGraphView(deps, getShortRow(deps, params.run_id)));
  app.implement(getRunPolicyReport, ({ params }, { principal }) =>
    runPolicyReport(deps, getShortRow(deps, params.run_id), principal.name),
  );
}
