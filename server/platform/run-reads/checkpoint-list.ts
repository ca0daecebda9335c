import { LIST_WINDOW } from '../../contract/platform/limits.ts';
import type { ListRequest } from '../../contract/platform/lists.ts';
import type { Checkpoint } from '../../contract/platform/run-reads.ts';
import { type Answer, answerText } from '../../http/answer.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { listBytes } from '../lists/list-bytes.ts';
import { type ListFacts, pageItems, sortByKey, sortKeyOf, valueAt } from '../lists/page-items.ts';
import { getRunRow, getShortRow } from '../run-record/get-run.ts';
import type { CheckpointLabel } from '../stored-states/checkpoints-repository.ts';
import { checkpointLabels, ofCheckpoints } from './checkpoint-states.ts';
import { checkpointTexts } from './checkpoint-texts.ts';
import { toCheckpointLabel, toCheckpointSummary } from './checkpoint-view.ts';

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

type CheckpointQuery = ListRequest & {
  readonly type?: string | undefined;
  readonly states?: boolean | undefined;
};

type CheckpointPage = { run_id: string; checkpoints: Checkpoint[] } & ListFacts;

/** The labels by what only the states hold, of which no more than the key is kept. */
async function sortedByStates(
  deps: PlatformDeps,
  run: RunsTable,
  labels: readonly CheckpointLabel[],
  { sort_by, sort_order }: ListRequest,
): Promise<CheckpointLabel[]> {
  const wanted = new Set(labels.map(({ sequence }) => sequence));
  const keys = new Map<number, ReturnType<typeof sortKeyOf>>();
  await ofCheckpoints(deps, run, ({ row, state }) => {
    if (!wanted.has(row.sequence)) return;
    keys.set(row.sequence, sortKeyOf(valueAt({ ...row, state }, sort_by)));
  });
  return sortByKey(
    labels,
    ({ sequence }) => keys.get(sequence) ?? sortKeyOf(undefined),
    sort_order,
  );
}

/** How many events of the trace are not a checkpoint's own: those of all before it. */
function eventsBefore(labels: readonly CheckpointLabel[]): ReadonlyMap<number, number> {
  return new Map(
    labels.map(({ sequence }, index) => [sequence, labels[index - 1]?.trace_upto ?? 0]),
  );
}

/** The texts of some checkpoints, in their order; states are made as far as the last of them. */
async function textsOf(
  deps: PlatformDeps,
  run: RunsTable,
  page: readonly { readonly sequence: number }[],
  labels: readonly CheckpointLabel[],
): Promise<Uint8Array[]> {
  const wanted = new Set(page.map(({ sequence }) => sequence));
  const reach = labels.reduce(
    (most, { sequence, trace_upto }) => (wanted.has(sequence) ? Math.max(most, trace_upto) : most),
    0,
  );
  const before = eventsBefore(labels);
  const textOf = checkpointTexts(deps, run.id, reach);
  const texts = new Map<number, Uint8Array>();
  await ofCheckpoints(
    deps,
    run,
    (checkpoint) => {
      const { sequence } = checkpoint.row;
      if (!wanted.has(sequence)) return;
      texts.set(sequence, textOf(checkpoint, before.get(sequence) ?? 0));
    },
    { until: Math.max(0, ...wanted) },
  );
  return page.flatMap(({ sequence }) => texts.get(sequence) ?? []);
}

/**
 * GET /runs/{id}/checkpoints. Of a run with many only the states of the page are kept, and labels are
 * answered without making any.
 * @throws Refusal not_found.
 */
export async function checkpointList(
  deps: PlatformDeps,
  runId: string,
  query: CheckpointQuery,
): Promise<CheckpointPage | Answer<CheckpointPage>> {
  const isSummary = SUMMARY_FIELDS.has(query.sort_by);
  const isLabels = query.states === false && isSummary;
  const { id } = getShortRow(deps, runId);
  const labels = await checkpointLabels(deps, id);
  const matches = labels.filter(({ type }) => query.type === undefined || type === query.type);
  const run = isLabels ? undefined : getRunRow(deps, runId);
  const sorted =
    run === undefined || isSummary
      ? matches.slice(0, LIST_WINDOW)
      : await sortedByStates(deps, run, matches.slice(0, LIST_WINDOW), query);
  // Sorted already where the key is none of the summary's: then it is missing in all of them.
  const { page, facts } = pageItems(sorted.map(toCheckpointSummary), query, matches.length);
  if (run === undefined) {
    const shown = new Map(matches.map((label) => [label.sequence, label]));
    const checkpoints = page.flatMap(({ sequence }) => {
      const label = shown.get(sequence);
      return label === undefined ? [] : [toCheckpointLabel(label)];
    });
    return { run_id: id, checkpoints, ...facts };
  }
  const texts = await textsOf(deps, run, page, labels);
  const before = JSON.stringify({ run_id: id });
  return answerText(listBytes(before, 'checkpoints', texts, JSON.stringify(facts)));
}
