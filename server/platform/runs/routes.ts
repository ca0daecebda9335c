import {
  cancelRun as cancelRoute,
  continueRun as continueRoute,
  createRunRoute,
  getRun,
  listRuns,
  type RunRecord,
  runSpecRoute,
} from '../../contract/platform/runs.ts';
import { answer } from '../../http/answer.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { listFactsOf } from '../lists/page-items.ts';
import type { Principal } from '../principal.ts';
import { cancelRun } from './cancel-run.ts';
import { continueRun } from './continue-run.ts';
import { createRun } from './create-run.ts';
import { getRunRow, traceReader } from './get-run.ts';
import { queryRuns } from './run-query.ts';
import { toRunRecord, toRunStatus } from './run-view.ts';

/** Rows that cannot be read are left out of lists with a log line. */
function readable(deps: PlatformDeps, rows: readonly RunsTable[]): RunRecord[] {
  return rows.flatMap((row) => {
    try {
      return [toRunRecord(row)];
    } catch (error) {
      deps.log.warn({ run_id: row.id, err: error }, 'a run cannot be read');
      return [];
    }
  });
}

/** The operations that make and change runs, and the two reads of their state. */
export function registerRuns(app: HttpApp<Principal>, deps: PlatformDeps): void {
  const { limits } = deps.config;
  const readTrace = traceReader(deps);
  app.implement(createRunRoute(limits), async ({ body }, { principal }) => {
    const created = await createRun(deps, { body, principal, audit: 'run.created' });
    return answer(created.result, { status: created.status });
  });
  app.implement(runSpecRoute(limits), async ({ body }, { principal }) => {
    const created = await createRun(deps, { body, principal, audit: 'spec.run' });
    return answer(created.result, { status: created.status });
  });
  app.implement(listRuns, ({ query }) => {
    const { rows, total } = queryRuns(deps.store, query, query);
    const runs = readable(deps, rows);
    return { runs, ...listFactsOf(query, runs.length, total) };
  });
  app.implement(getRun, ({ params }) => toRunStatus(getRunRow(deps, params.run_id), readTrace));
  app.implement(cancelRoute, ({ params }, { principal }) =>
    toRunStatus(cancelRun(deps, { runId: params.run_id, actor: principal.name }), readTrace),
  );
  app.implement(continueRoute, ({ params }, { principal }) =>
    continueRun(deps, { runId: params.run_id, principal }),
  );
}
