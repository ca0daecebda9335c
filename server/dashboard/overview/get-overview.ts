import type { Overview } from '../../contract/dashboard/overview.ts';
import { listHumanTasks } from '../../contract/platform/human-tasks.ts';
import { getReadyz } from '../../contract/platform/probes.ts';
import { listRuns } from '../../contract/platform/runs.ts';
import { PlatformError } from '../../platform-client/platform-error.ts';
import type { DashboardDeps, Operator } from '../deps.ts';

/** A count, null when the platform does not have the list or its total. Other failures are failures. */
async function countOf(
  answer: Promise<{ readonly total?: number | null | undefined }>,
): Promise<number | null> {
  try {
    return (await answer).total ?? null;
  } catch (error) {
    const absent =
      error instanceof PlatformError && (error.status === 404 || error.family === 'protocol');
    if (absent) return null;
    throw error;
  }
}

async function readiness(
  answer: Promise<{ readonly ok?: boolean | null | undefined }>,
): Promise<boolean | null> {
  try {
    return (await answer).ok !== false;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.status === 503) return false;
    if (error.status === 404 || error.family === 'protocol') return null;
    throw error;
  }
}

/** The overview: totals of concurrent filtered lists and the platform's readiness. */
export async function getOverview(
  deps: DashboardDeps,
  operator: Operator,
  signal: AbortSignal,
): Promise<Overview> {
  const platform = operator.platform();
  const runs = (status: string | undefined) =>
    countOf(platform.call(listRuns, { query: { status, limit: 1 } }, { signal }));
  const [running, blocked, failed, total, tasks, ready] = await Promise.all([
    runs('running'),
    runs('blocked'),
    runs('failed'),
    runs(undefined),
    countOf(platform.call(listHumanTasks, { query: { limit: 1 } }, { signal })),
    readiness(platform.call(getReadyz, {}, { signal, attempts: 1 })),
  ]);
  const taskTone = tasks !== null && tasks > 0 ? 'warn' : 'neutral';
  return {
    tiles: [
      {
        key: 'running',
        label: 'Running',
        value: running,
        tone: 'info',
        link: '/runs?status=running',
      },
      {
        key: 'blocked',
        label: 'Blocked',
        value: blocked,
        tone: 'warn',
        link: '/runs?status=blocked',
      },
      { key: 'failed', label: 'Failed', value: failed, tone: 'error', link: '/runs?status=failed' },
      {
        key: 'pending_hitl',
        label: 'Pending human tasks',
        value: tasks,
        tone: taskTone,
        link: '/human-tasks',
      },
      { key: 'total', label: 'Total runs', value: total, tone: 'neutral', link: '/runs' },
    ],
    ready,
    error_rate: failed === null || total === null || total === 0 ? null : failed / total,
    grafana_url: deps.config.grafanaUrl ?? null,
  };
}
