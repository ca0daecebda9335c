import { parseTimestamp, toTimestamp } from '../../kernel/timestamp.ts';
import type { Db } from '../handle.ts';
import { listDoneActions } from './audit-repository.ts';

/** What a platform writes of an action, and what this dashboard notes of the same. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  'human.decision': ['hitl.resume', 'run.continue'],
  'run.cancelled': ['run.cancel'],
  'run.continued': ['run.continue'],
  'run.recovered': ['run.recover'],
  'run.rerun': ['run.rerun'],
  'run.created': ['launch.run'],
  'spec.run': ['launch.run'],
};

/** Clocks of both may differ so much, and an answer may take so long. */
const APART_MS = 60_000;

interface PlatformEvent {
  readonly event_type: string;
  readonly run_id: string | null;
  readonly continuation_id: string | null;
  readonly created_at: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What an action on the event names as its target: of a run that was begun again, the first one. */
function targetsOf({ run_id, continuation_id, metadata }: PlatformEvent): readonly string[] {
  const named = [run_id, continuation_id, metadata['origin_run_id']];
  return named.filter((target) => typeof target === 'string');
}

interface Action {
  readonly operator: string;
  readonly action: string;
  readonly target: string | null;
  readonly at: number;
}

function nearest(event: PlatformEvent, at: number, actions: readonly Action[]): string | null {
  const names = ACTIONS[event.event_type] ?? [];
  const targets = targetsOf(event);
  const [found] = actions
    .filter(({ action, target }) => names.includes(action) && targets.includes(target ?? ''))
    .filter((each) => Math.abs(each.at - at) <= APART_MS)
    .sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at));
  return found?.operator ?? null;
}

/**
 * Who did through this dashboard what a platform tells of, in the order of the events; null for what
 * came by another way. A platform knows only the key that the dashboard calls it with.
 */
export async function whoActed(
  db: Db,
  events: readonly PlatformEvent[],
): Promise<readonly (string | null)[]> {
  const asked = events.flatMap((event) => {
    const at =
      ACTIONS[event.event_type] === undefined ? undefined : parseTimestamp(event.created_at);
    return at === undefined ? [] : [{ event, at }];
  });
  const times = asked.map(({ at }) => at);
  const targets = [...new Set(asked.flatMap(({ event }) => targetsOf(event)))];
  if (targets.length === 0) return events.map(() => null);
  const rows = await listDoneActions(db, {
    targets,
    from: toTimestamp(Math.min(...times) - APART_MS),
    until: toTimestamp(Math.max(...times) + APART_MS),
  });
  const actions = rows.flatMap(({ operator, action, target, created_at }) => {
    const at = parseTimestamp(created_at);
    return at === undefined ? [] : [{ operator, action, target, at }];
  });
  const known = new Map(asked.map(({ event, at }) => [event, nearest(event, at, actions)]));
  return events.map((event) => known.get(event) ?? null);
}
