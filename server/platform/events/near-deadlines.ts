import type { PlatformDeps } from '../deps.ts';

type Deps = Pick<
  PlatformDeps,
  'outbox' | 'continuations' | 'runList' | 'runs' | 'config' | 'clock'
>;

/** Tells once of each deadline of a task or a run that is near; in the caller's transaction. */
export function noteNearDeadlines(deps: Deps): void {
  if (!deps.outbox.isWanted('deadline.near')) return;
  const now = deps.clock.now() / 1000;
  const until = now + deps.config.events.nearSeconds;
  for (const { id, due } of deps.continuations.nextDeadlines(now)) {
    const task = due > until ? undefined : deps.continuations.find(id);
    if (task === undefined) continue;
    deps.outbox.note({
      id: `task-${id}-${due}`,
      type: 'deadline.near',
      data: { run_id: task.run_id, continuation_id: id, of: 'task', due_at: due },
    });
  }
  for (const { id, due } of deps.runList.nextDeadlines(now)) {
    if (due > until) continue;
    deps.outbox.note({
      id: `run-${id}-${due}`,
      type: 'deadline.near',
      data: { run_id: id, of: 'run', due_at: due },
    });
  }
}
