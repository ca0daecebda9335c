import { t } from '../../../preload/texts/t.ts';
import type { Annotation } from '../../../server/contract/dashboard/annotations.ts';
import { actorName, doerName } from '../../ui/actor-name.ts';
import { actWords, eventWords, OUTCOME_WORDS } from '../../ui/audit-words.ts';
import { checkpointWords } from '../../ui/checkpoint-words.ts';
import type { AuditEvent, OperatorEntry, TimelineItem, TimelineState } from './timeline-item.ts';
import type { TraceRow } from './trace-model.ts';

/** Everything that is known of a run beside its trace, each in an order of its own. */
export interface TimelineSources {
  readonly states: readonly TimelineState[];
  readonly audit: readonly AuditEvent[];
  readonly operators: readonly OperatorEntry[];
  readonly notes: readonly Annotation[];
}

/** What a platform writes of an answer to a task. */
const DECISION = 'human.decision';

type Face = Pick<TraceRow, 'id' | 'kind' | 'what' | 'node' | 'input'>;

function faceOf(item: TimelineItem): Face & { readonly at: string } {
  switch (item.source) {
    case 'checkpoint': {
      const { sequence, type, node, at } = item.state;
      const what = t('checkpoint {sequence}, {type}', { sequence, type: checkpointWords(type) });
      return { id: `checkpoint-${sequence}`, kind: 'checkpoint', what, node, input: null, at };
    }
    case 'audit': {
      const { id, event_type, actor, operator, created_at: at } = item.event;
      const kind = event_type === DECISION ? 'human' : 'audit';
      const isKnown = actor !== null || operator !== null;
      const done = eventWords(event_type);
      const what = isKnown ? t('{done} by {who}', { done, who: doerName(item.event) }) : done;
      const input = JSON.stringify(item.event.metadata);
      return { id: `audit-${id}`, kind, what, node: '', input, at };
    }
    case 'operator': {
      const { id, operator, action, outcome, created_at: at } = item.entry;
      const by = t('{who}: {act}', { who: actorName(operator), act: actWords(action) });
      const what = outcome === 'ok' ? by : `${by}, ${OUTCOME_WORDS[outcome]}`;
      return { id: `operator-${id}`, kind: 'audit', what, node: '', input: null, at };
    }
    case 'note': {
      const { id, created_by, created_at: at, body } = item.note;
      return {
        id: `note-${id}`,
        kind: 'note',
        what: t('{created_by} noted', { created_by: actorName(created_by) }),
        node: '',
        input: body,
        at,
      };
    }
  }
}

function rowOf(item: TimelineItem): TraceRow {
  const { at, ...face } = faceOf(item);
  const time = Date.parse(at);
  const start = Number.isNaN(time) ? 0 : time;
  return {
    ...face,
    state: item.source === 'operator' && item.entry.outcome !== 'ok' ? 'failed' : 'point',
    start,
    end: start,
    durationMs: 0,
    depth: 0,
    output: null,
    error: null,
    offline: false,
    wait: false,
    events: [],
    item,
  };
}

/** The sources as lines in the order of their time; what shares a moment keeps the order of the sources. */
export function timelineRows(sources: TimelineSources): readonly TraceRow[] {
  const items: TimelineItem[] = [
    ...sources.audit.map((event) => ({ source: 'audit', event }) as const),
    ...sources.states.map((state) => ({ source: 'checkpoint', state }) as const),
    ...sources.operators.map((entry) => ({ source: 'operator', entry }) as const),
    ...sources.notes.map((note) => ({ source: 'note', note }) as const),
  ];
  return items.map(rowOf).toSorted((a, b) => a.start - b.start);
}

/**
 * One list of the lines of the trace and those beside it. The lines of the trace keep their order and
 * with it their nesting; what happened beside them stands after all that had begun by then.
 */
export function mergeTimeline(
  trace: readonly TraceRow[],
  beside: readonly TraceRow[],
): readonly TraceRow[] {
  const merged: TraceRow[] = [];
  let next = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const row of trace) {
    reached = Math.max(reached, row.start);
    for (let item = beside[next]; item !== undefined && item.start < reached; item = beside[next]) {
      merged.push(item);
      next += 1;
    }
    merged.push(row);
  }
  return [...merged, ...beside.slice(next)];
}
