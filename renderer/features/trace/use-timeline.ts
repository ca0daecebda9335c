import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { listAnnotations } from '../../../server/contract/dashboard/annotations.ts';
import { listAudit, listAuditLog } from '../../../server/contract/dashboard/audit.ts';
import { useHindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { timelineRows } from './timeline.ts';
import type { TimelineState } from './timeline-item.ts';
import type { TraceRow } from './trace-model.ts';

const MOST_AUDIT = 200;
const MOST_OPERATORS = 500;

/** What stands beside the trace of a run, and what of it is missing. */
export interface Beside {
  readonly rows: readonly TraceRow[];
  /** Says in words what could not be read; null when nothing is missing. */
  readonly missing: string | null;
}

/** Checkpoints, decisions, notes and audit of a run as lines of its timeline; read again for each `stage`. */
export function useBeside(runId: string, states: readonly TimelineState[], stage: string): Beside {
  const hindrance = useHindrance('audit.read');
  const auditQuery = routeQuery(listAudit, { query: { run_id: runId, limit: MOST_AUDIT } });
  const audit = useQuery({
    ...auditQuery,
    queryKey: [...auditQuery.queryKey, stage],
    enabled: hindrance === undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const logQuery = routeQuery(listAuditLog, { query: { limit: MOST_OPERATORS } });
  const log = useQuery({
    ...logQuery,
    queryKey: [...logQuery.queryKey, runId, stage],
    enabled: hindrance === undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const notes = useQuery(routeQuery(listAnnotations, { params: { run_id: runId } }));
  const rows = useMemo(() => {
    const events = audit.data?.rows ?? [];
    // An answer to a task is written with the task as its target.
    const targets = new Set([runId, ...events.map(({ continuation_id }) => continuation_id)]);
    return timelineRows({
      states,
      audit: events,
      operators: (log.data?.entries ?? []).filter(
        ({ target }) => target !== null && targets.has(target),
      ),
      notes: notes.data ?? [],
    });
  }, [states, audit.data, log.data, notes.data, runId]);
  const total = audit.data?.total ?? 0;
  const read = audit.data?.rows.length ?? 0;
  if (hindrance !== undefined) {
    return { rows, missing: t('Without the audit: {hindrance}', { hindrance }) };
  }
  if (audit.isError || log.isError) {
    return { rows, missing: t('The audit could not be read, so it is not among these lines.') };
  }
  return {
    rows,
    missing: total > read ? t('The newest {read} of {total} audit events.', { read, total }) : null,
  };
}
