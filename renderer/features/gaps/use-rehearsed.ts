import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { getRunItems, getRunRecord } from '../../../server/contract/dashboard/run-record.ts';
import type { RunItems } from '../../../server/contract/platform/run-reads.ts';
import type { RunStatusView } from '../../../server/contract/platform/runs.ts';
import type { CanvasView } from '../../../server/contract/studio/analyses.ts';
import { namedSources } from '../../../server/gaps/fixes/source-links.ts';
import { routeQuery } from '../../data/query-client.ts';
import { isServed } from '../../data/served.ts';
import { lastRehearsal } from '../../workbench/last-rehearsal.ts';

/** What the last rehearsal of the draft met at elements of the source, in words. */
export type Rehearsed = ReadonlyMap<string, string>;

/** With why it is not known, where there was a rehearsal; null where nothing is missing. */
interface ReadRehearsal {
  readonly rehearsed: Rehearsed;
  readonly missing: string | null;
}

const NOTHING: Rehearsed = new Map();
const ELSEWHERE = t(
  'What the last rehearsal met is told by the operations dashboard, which does not answer at this address. It shows where Specwright is open as a whole.',
);
const UNREAD = t(
  'What the last rehearsal met could not be read. Its run may be gone, or its platform does not answer.',
);

function missingOf(runId: string | null, isFailed: boolean): string | null {
  if (runId === null) return null;
  if (!isServed('dashboard')) return ELSEWHERE;
  return isFailed ? UNREAD : null;
}

function itemsOf({ outputs }: RunItems['runs'][number]): string {
  const count = outputs.reduce((sum, items) => sum + (items?.length ?? 0), 0);
  return t('{count, plural, one {# item} other {# items}}', { count });
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
  return [...run.visited_nodes, ...run.visited_steps].includes(step) ? 'ran' : t('not reached');
}

/** Reads what the last rehearsal of a draft met, by source element; nothing where there was none. */
export function useRehearsed(
  projectId: string,
  ref: string | undefined,
  canvas: CanvasView | undefined,
): ReadRehearsal {
  const runId = ref === undefined ? null : lastRehearsal(projectId, ref);
  const params = { run_id: runId ?? '' };
  const asked = { enabled: runId !== null && isServed('dashboard'), retry: false };
  const record = useQuery({ ...routeQuery(getRunRecord, { params }), ...asked });
  const query = { offset: 0, limit: 200 };
  const list = useQuery({ ...routeQuery(getRunItems, { params, query }), ...asked });
  const [run, items] = [record.data, list.data];
  const rehearsed = useMemo(() => {
    if (run === undefined || items === undefined) return NOTHING;
    return new Map(
      namedSources(canvas).flatMap(({ source_id, name }) =>
        name === '' ? [] : [[source_id, metAt(name, run, items.runs)] as const],
      ),
    );
  }, [run, items, canvas]);
  return { rehearsed, missing: missingOf(runId, record.isError || list.isError) };
}
