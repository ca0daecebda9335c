import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { getRunItems, getRunRecord } from '../../../server/contract/dashboard/run-record.ts';
import type { RunItems } from '../../../server/contract/platform/run-reads.ts';
import type { RunStatusView } from '../../../server/contract/platform/runs.ts';
import type { CanvasView } from '../../../server/contract/studio/analyses.ts';
import { namedSources } from '../../../server/gaps/fixes/source-links.ts';
import { routeQuery } from '../../data/query-client.ts';
import { countText } from '../../ui/count-text.ts';
import { lastRehearsal } from '../../workbench/last-rehearsal.ts';

/** What the last rehearsal of the draft met at elements of the source, in words. */
export type Rehearsed = ReadonlyMap<string, string>;

const NOTHING: Rehearsed = new Map();

function itemsOf({ outputs }: RunItems['runs'][number]): string {
  const count = outputs.reduce((sum, items) => sum + (items?.length ?? 0), 0);
  return countText(count, 'item');
}

/** What a rehearsal met at a step of the draft. */
export function metAt(
  step: string,
  run: Pick<RunStatusView, 'status' | 'current_node_id' | 'visited_nodes' | 'visited_steps'>,
  runs: RunItems['runs'],
): string {
  if (run.status === 'failed' && run.current_node_id === step) return 'failed';
  const last = runs.findLast((one) => one.step === step);
  if (last !== undefined) return `${last.answered_by ?? 'ran'} · ${itemsOf(last)}`;
  return [...run.visited_nodes, ...run.visited_steps].includes(step) ? 'ran' : 'not reached';
}

/** Reads what the last rehearsal of a draft met, by source element; nothing where there was none. */
export function useRehearsed(
  projectId: string,
  ref: string | undefined,
  canvas: CanvasView | undefined,
): Rehearsed {
  const runId = ref === undefined ? null : lastRehearsal(projectId, ref);
  const params = { run_id: runId ?? '' };
  const asked = { enabled: runId !== null, retry: false };
  const run = useQuery({ ...routeQuery(getRunRecord, { params }), ...asked }).data;
  const query = { offset: 0, limit: 200 };
  const items = useQuery({ ...routeQuery(getRunItems, { params, query }), ...asked }).data;
  return useMemo(() => {
    if (run === undefined || items === undefined) return NOTHING;
    return new Map(
      namedSources(canvas).flatMap(({ source_id, name }) =>
        name === '' ? [] : [[source_id, metAt(name, run, items.runs)] as const],
      ),
    );
  }, [run, items, canvas]);
}
