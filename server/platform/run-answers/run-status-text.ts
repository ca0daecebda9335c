import { joinObjectTexts, listText, memberText } from '../../kernel/json-text.ts';
import { refuse } from '../refuse.ts';
import type { RunReader, ShownRun } from '../run-list/run-reader-repository.ts';
import { MAX_RESULT_EVENTS } from '../run-record/run-view.ts';
import type { TraceRepository } from '../stored-states/trace-repository.ts';

/** Fields of the record that GET /runs/{id} leaves to the list (contract/platform.md 3.5). */
const LIST_ONLY: ReadonlySet<string> = new Set([
  'id',
  'parent_run_id',
  'tags',
  'current_step_id',
  'messages',
  'trace_dropped',
]);

/** What answers are read from; another thread has its own connection for them. */
export interface TextDeps {
  readonly runList: Pick<RunReader, 'shown'>;
  readonly trace: Pick<TraceRepository, 'page'>;
}

/** @throws Refusal not_found. */
function shownRun({ runList }: TextDeps, runId: string): ShownRun {
  const shown = runList.shown(runId);
  if (shown === undefined) throw refuse('not_found');
  return shown;
}

/** The metadata with the trace of a leg that has ended (contract/platform.md 3.4). */
function metadataText(deps: TextDeps, runId: string, { fields, metadata }: ShownRun): string {
  const { status } = fields;
  if (status === 'queued' || status === 'running') return metadata;
  const events = deps.trace.page(runId, undefined, MAX_RESULT_EVENTS, 0);
  const trace = joinObjectTexts(
    JSON.stringify({ run_id: runId }),
    memberText('events', listText(events)),
  );
  return joinObjectTexts(metadata, memberText('trace', trace));
}

/**
 * GET /runs/{id} as JSON text: the stored, redacted parts and the trace of a leg that has ended are
 * put together unparsed.
 * @throws Refusal not_found.
 */
export function runStatusText(deps: TextDeps, runId: string): string {
  const shown = shownRun(deps, runId);
  const fields = Object.entries(shown.fields).filter(([name]) => !LIST_ONLY.has(name));
  return joinObjectTexts(
    JSON.stringify(Object.fromEntries(fields)),
    memberText('metadata', metadataText(deps, runId, shown)),
  );
}

/** The answer of an operation that executed a run to its end, as JSON text likewise. */
export function endedResultText(deps: TextDeps, runId: string): string {
  const shown = shownRun(deps, runId);
  const { status, output_text, continuation_id } = shown.fields;
  const facts = { run_id: runId, status, output_text, human_intervention_required: false };
  return joinObjectTexts(
    JSON.stringify({ ...facts, continuation_id }),
    memberText('metadata', metadataText(deps, runId, shown)),
  );
}
