import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
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
import { pageItems } from '../lists/page-items.ts';
import type { Principal } from '../principal.ts';
import { getRunRow, getShortRow } from '../run-record/get-run.ts';
import { diffCheckpoints } from './checkpoint-diff.ts';
import { checkpointStates } from './checkpoint-states.ts';
import { checkpointTexts, toCheckpointLabel, toCheckpointSummary } from './checkpoint-view.ts';
import { credentialNeeds } from './credential-needs.ts';
import { runGraphView, runPolicyReport } from './frozen-views.ts';
import { toRecovery, toReplay } from './replay-context.ts';
import { toRunItems } from './run-items.ts';
import { waitForNews } from './trace-news.ts';
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

/** Checkpoints without what they hold: their states need not be made. */
function listLabels(
  deps: PlatformDeps,
  runId: string,
  query: ListRequest & { readonly type?: string | undefined },
) {
  const matches = deps.checkpoints
    .ofRun(runId)
    .filter(({ type }) => query.type === undefined || type === query.type)
    .map((row) => toCheckpointLabel(row));
  const { page, facts } = pageItems(matches.slice(0, LIST_WINDOW), query, matches.length);
  return { run_id: runId, checkpoints: page, ...facts };
}

/** The reads of one run. */
export function registerRunReadRoutes(app: HttpApp<Principal>, deps: PlatformDeps): void {
  app.implement(getCredentialNeeds, ({ query }) => credentialNeeds(deps, query.runs));
  app.implement(getTrace, async ({ params, query }, { principal, signal }) => {
    if (await waitForNews(deps, params.run_id, query, signal)) principal.uncount();
    return answerText(await traceText(deps, params.run_id, query));
  });
  app.implement(diffRoute, async ({ params, query }) => {
    const row = getRunRow(deps, params.run_id);
    return diffCheckpoints(row.id, await checkpointStates(deps, row), {
      from: query.from_sequence,
      to: query.to_sequence,
    });
  });
  app.implement(listCheckpoints, async ({ params, query }) => {
    if (query.states === false && SUMMARY_FIELDS.has(query.sort_by)) {
      return listLabels(deps, getShortRow(deps, params.run_id).id, query);
    }
    const row = getRunRow(deps, params.run_id);
    const all = (await checkpointStates(deps, row)).map((checkpoint, index, states) => ({
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
    const texts = await checkpointTexts(deps, row, page);
    const before = `${JSON.stringify({ run_id: row.id }).slice(0, -1)},"checkpoints":[`;
    const after = `],${JSON.stringify(facts).slice(1)}`;
    const comma = Buffer.from(',');
    const parts = texts.flatMap((text, index) => (index === 0 ? [text] : [comma, text]));
    return answerText(Buffer.concat([Buffer.from(before), ...parts, Buffer.from(after)]));
  });
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
