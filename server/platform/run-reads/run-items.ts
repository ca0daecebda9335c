import { calledFlows, flowSettings } from '../../contract/flow.ts';
import {
  type AnsweredBy,
  NO_REHEARSAL,
  type Rehearsal,
} from '../../contract/platform/rehearsals.ts';
import type { RunItems } from '../../contract/platform/run-reads.ts';
import { type FlowRunView, type FlowsSettings, flowRunsOf } from '../../engine/flow-record.ts';
import { isJsonObject } from '../../kernel/json.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { PlatformDeps } from '../deps.ts';
import { redactObject } from '../redaction.ts';
import { type FrozenSpec, frozenSpecOf, loadFrozenSpec } from '../specs/frozen-spec.ts';

function settingsOf(frozen: FrozenSpec | undefined): FlowsSettings | undefined {
  const spec = frozen === undefined ? undefined : loadFrozenSpec(frozen).spec;
  const root = flowSettings.safeParse(spec?.metadata?.['flow']).data;
  const called = calledFlows.safeParse(spec?.metadata?.['flows'] ?? {}).data ?? {};
  return root && { root, called };
}

function answeredBy({ steps }: Rehearsal, run: FlowRunView): AnsweredBy | null {
  const { key, pinned, within } = run;
  const isOwn = within.length === 0 && Object.hasOwn(steps, key);
  const answer = isOwn ? steps[key] : undefined;
  return answer?.by ?? (pinned ? 'pinned' : null);
}

function viewOf(run: FlowRunView, rehearsal: Rehearsal): RunItems['runs'][number] {
  const { at, key, name, type, pinned, sources, outputs, within } = run;
  return {
    at,
    step: key,
    name,
    type,
    run: run.run,
    pinned,
    answered_by: answeredBy(rehearsal, run),
    within: within.map(({ key: step, name: caller, run: of, call }) => {
      return { step, name: caller, run: of, call };
    }),
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
