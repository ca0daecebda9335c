import { joinObjectTexts, listText, memberText } from '../../kernel/json-text.ts';
import type { PlatformDeps } from '../deps.ts';
import { refuse } from '../refuse.ts';
import { MAX_RESULT_EVENTS } from './run-view.ts';

/** Fields of the record that GET /runs/{id} leaves to the list (contract/platform.md 3.5). */
const LIST_ONLY: ReadonlySet<string> = new Set([
  'id',
  'parent_run_id',
  'tags',
  'current_step_id',
  'messages',
  'trace_dropped',
]);

/**
 * GET /runs/{id} as JSON text: the stored, redacted parts and the trace of a leg that has ended are
 * put together unparsed.
 * @throws Refusal not_found.
 */
export function runStatusText(deps: Pick<PlatformDeps, 'runs' | 'trace'>, runId: string): string {
  const shown = deps.runs.shown(runId);
  if (shown === undefined) throw refuse('not_found');
  const fields = Object.entries(shown.fields).filter(([name]) => !LIST_ONLY.has(name));
  const { status } = shown.fields;
  const open = status === 'queued' || status === 'running';
  const events = open ? [] : deps.trace.page(runId, undefined, MAX_RESULT_EVENTS, 0);
  const trace = joinObjectTexts(
    JSON.stringify({ run_id: runId }),
    memberText('events', listText(events)),
  );
  const metadata = open
    ? shown.metadata
    : joinObjectTexts(shown.metadata, memberText('trace', trace));
  return joinObjectTexts(
    JSON.stringify(Object.fromEntries(fields)),
    memberText('metadata', metadata),
  );
}
