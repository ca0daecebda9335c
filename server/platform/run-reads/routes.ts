import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import {
  diffCheckpoints as diffRoute,
  getRecovery,
  getReplay,
  getRunGraph,
  getRunPolicyReport,
  getTrace,
  listCheckpoints,
} from '../../contract/platform/run-reads.ts';
import { answerText } from '../../http/answer.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { PlatformDeps } from '../deps.ts';
import { pageItems } from '../lists/page-items.ts';
import type { Principal } from '../principal.ts';
import { getRunRow, getShortRow } from '../runs/get-run.ts';
import { diffCheckpoints } from './checkpoint-diff.ts';
import { checkpointStates } from './checkpoint-states.ts';
import { toCheckpointSummary, toCheckpointViews } from './checkpoint-view.ts';
import { runGraphView, runPolicyReport } from './frozen-views.ts';
import { toRecovery, toReplay } from './replay-context.ts';
import { traceText } from './trace-view.ts';

/** Sort fields that the summary of a checkpoint answers; others need its state. */
const SUMMARY_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'sequence',
  'type',
  'created_at',
  'workflow_name',
  'step_id',
  'node_id',
]);

/** The reads of one run. */
export function registerRunReads(app: HttpApp<Principal>, deps: PlatformDeps): void {
  app.implement(getTrace, async ({ params, query }) =>
    answerText(await traceText(deps, params.run_id, query)),
  );
  app.implement(diffRoute, ({ params, query }) => {
    const row = getRunRow(deps, params.run_id);
    return diffCheckpoints(row.id, checkpointStates(deps, row), {
      from: query.from_sequence,
      to: query.to_sequence,
    });
  });
  app.implement(listCheckpoints, ({ params, query }) => {
    const row = getRunRow(deps, params.run_id);
    const all = checkpointStates(deps, row).map((checkpoint, index, states) => ({
      ...(SUMMARY_FIELDS.has(query.sort_by)
        ? toCheckpointSummary(checkpoint.row)
        : { ...checkpoint.row, state: checkpoint.state }),
      checkpoint,
      before: states[index - 1]?.row.trace_upto ?? 0,
    }));
    const matches = all.filter(
      ({ checkpoint }) => query.type === undefined || checkpoint.row.type === query.type,
    );
    const { page, facts } = pageItems(matches.slice(0, LIST_WINDOW), query, matches.length);
    return { run_id: row.id, checkpoints: toCheckpointViews(deps, row, page), ...facts };
  });
  app.implement(getRecovery, ({ params }) => toRecovery(deps, getRunRow(deps, params.run_id)));
  app.implement(getReplay, ({ params }) => toReplay(deps, getRunRow(deps, params.run_id)));
  app.implement(getRunGraph, ({ params }) => runGraphView(deps, getShortRow(deps, params.run_id)));
  app.implement(getRunPolicyReport, ({ params }, { principal }) =>
    runPolicyReport(deps, getShortRow(deps, params.run_id), principal.name),
  );
}
