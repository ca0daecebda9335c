import * as contract from '../../contract/dashboard/runs.ts';
import * as upstream from '../../contract/platform/run-reads.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { readRecovery } from '../platform-answers.ts';
import { getRunChain, getSession } from './chain.ts';
import { summarizeErrors } from './error-summary.ts';
import { listRuns } from './list-runs.ts';
import { getRunDetail } from './run-detail.ts';
import {
  toCheckpointDiff,
  toGraphView,
  toPolicyReport,
  toRecovery,
  toReplay,
  unlessNotFound,
} from './run-reads.ts';

/** Binds the reading operations on runs. */
export function registerRunRoutes(app: HttpApp<Operator>, deps: DashboardDeps): void {
  app.implement(contract.errorSummary, (_input, { principal, signal }) =>
    summarizeErrors(principal, signal),
  );
  app.implement(contract.listRuns, ({ query }, { principal, signal }) =>
    listRuns(deps, principal, query, signal),
  );
  app.implement(contract.getRun, ({ params }, { principal, signal }) =>
    getRunDetail(deps, principal, params.run_id, signal),
  );
  app.implement(contract.getRunChain, ({ params }, { principal, signal }) =>
    getRunChain(deps, principal, params.run_id, signal),
  );
  app.implement(contract.getSession, ({ params }, { principal, signal }) =>
    getSession(deps, principal, params.session_id, signal),
  );
  app.implement(contract.getCheckpointDiff, async ({ params, query }, { principal, signal }) => {
    const platform = principal.platform();
    const body = await platform.call(upstream.diffCheckpoints, { params, query }, { signal });
    return toCheckpointDiff(body, { from: query.from_sequence, to: query.to_sequence });
  });
  app.implement(contract.getRunGraph, async ({ params }, { principal, signal }) => {
    const answer = principal.platform().call(upstream.getRunGraph, { params }, { signal });
    return toGraphView(await unlessNotFound(answer));
  });
  app.implement(contract.getRunPolicyReport, async ({ params }, { principal, signal }) => {
    const answer = principal.platform().call(upstream.getRunPolicyReport, { params }, { signal });
    return toPolicyReport(await unlessNotFound(answer));
  });
  app.implement(contract.getRunRecovery, async ({ params }, { principal, signal }) => {
    const platform = principal.platform();
    const input = { params };
    return toRecovery(await platform.read(upstream.getRecovery, readRecovery, input, { signal }));
  });
  app.implement(contract.getRunReplay, async ({ params }, { principal, signal }) =>
    toReplay(await principal.platform().call(upstream.getReplay, { params }, { signal })),
  );
}
