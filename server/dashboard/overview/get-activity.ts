import type { Activity } from '../../contract/dashboard/overview.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { scanCreated } from '../spend/scan-created.ts';

const HOUR_MS = 3_600_000;

/** Runs by the hour of their creation, from at most 1000 runs, newest first. */
export async function getActivity(
  deps: DashboardDeps,
  operator: Operator,
  hours: number,
  signal: AbortSignal,
): Promise<Activity> {
  const last = Math.floor(deps.clock.now() / HOUR_MS);
  const first = last - hours + 1;
  const found = Array.from({ length: hours }, (_, at) => ({
    from: toTimestamp((first + at) * HOUR_MS),
    ...{ created: 0, failed: 0, blocked: 0 },
  }));
  const { counted, total, truncated } = await scanCreated(
    operator.platform(),
    { boundary: first * HOUR_MS, brief: true },
    ({ status }, createdAt) => {
      const hour =
        createdAt === undefined ? undefined : found[Math.floor(createdAt / HOUR_MS) - first];
      if (hour === undefined) return;
      hour.created += 1;
      if (status === 'failed' || status === 'timed_out') hour.failed += 1;
      if (status === 'blocked') hour.blocked += 1;
    },
    signal,
  );
  return { hours: found, counted, total, truncated };
}
