import * as contract from '../../contract/dashboard/runs.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
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
    const body = await principal.platform().runCheckpointDiff(params.run_id, query, { signal });
    return toCheckpointDiff(body, { from: query.from_sequence, to: query.to_sequence });
  });
  app.implement(contract.getRunGraph, async ({ params }, { principal, signal }) =>
    toGraphView(await unlessNotFound(principal.platform().runGraph(params.run_id, { signal }))),
  );
  app.implement(contract.getRunPolicyReport, async ({ params }, { principal, signal }) =>
    toPolicyReport(
      await unlessNotFound(principal.platform().runPolicyReport(params.run_id, { signal })),
    ),
  );
  app.implement(contract.getRunRecovery, async ({ params }, { principal, signal }) =>
    toRecovery(await principal.platform().runRecovery(params.run_id, { signal })),
  );
  app.implement(contract.getRunReplay, async ({ params }, { principal, signal }) =>
    toReplay(await principal.platform().runReplay(params.run_id, { signal })),
  );
}
