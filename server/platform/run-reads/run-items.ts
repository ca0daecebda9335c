import { flowSettings } from '../../contract/flow.ts';
import {
  type AnsweredBy,
  NO_REHEARSAL,
  type Rehearsal,
} from '../../contract/platform/rehearsals.ts';
import type { RunItems } from '../../contract/platform/run-reads.ts';
import { type FlowRunView, flowRunsOf } from '../../engine/flow-call.ts';
import { isJsonObject } from '../../kernel/json.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { redactObject } from '../redaction.ts';
import { type FrozenSpec, frozenSpecOf, loadFrozenSpec } from '../specs/frozen-spec.ts';

function settingsOf(frozen: FrozenSpec | undefined) {
  const spec = frozen === undefined ? undefined : loadFrozenSpec(frozen).spec;
  const read = flowSettings.safeParse(spec?.metadata?.['flow']);
  return read.success ? read.data : undefined;
}

function answeredBy({ steps }: Rehearsal, { key, pinned }: FlowRunView): AnsweredBy | null {
  const answer = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return answer?.by ?? (pinned ? 'pinned' : null);
}

function viewOf(run: FlowRunView, rehearsal: Rehearsal): RunItems['runs'][number] {
  const { at, key, name, type, pinned, sources, outputs } = run;
  return {
    at,
    step: key,
    name,
    type,
    run: run.run,
    pinned,
    answered_by: answeredBy(rehearsal, run),
    sources: [...sources],
    outputs: outputs.map((items) =>
      items === null
        ? null
        : items.map(({ json }) => (isJsonObject(json) ? redactObject(json) : {})),
    ),
  };
}

/** GET /runs/{id}/items: what the steps of an item flow gave, as it stands at the last step that ended. */
export async function toRunItems(
  deps: Pick<PlatformDeps, 'resumePoints'>,
  row: RunsTable,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<RunItems> {
  const frozen = frozenSpecOf(row.created_metadata);
  const settings = settingsOf(frozen);
  const none = { run_id: row.id, total: 0, runs: [] };
  if (settings === undefined) return none;
  const { place } = await deps.resumePoints.find(row.id, deps.resumePoints.last(row.id));
  if (place?.flow === undefined) return none;
  const all = flowRunsOf(settings, place.flow);
  const rehearsal = frozen?.rehearsal ?? NO_REHEARSAL;
  const runs = all.slice(offset, offset + limit).map((run) => viewOf(run, rehearsal));
  return { run_id: row.id, total: all.length, runs };
}
