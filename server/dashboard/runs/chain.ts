import type { RunChain } from '../../contract/dashboard/runs.ts';
import { listRuns } from '../../contract/platform/runs.ts';
import { required } from '../../platform-client/answers.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { ageText } from '../age.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { readRunPage } from '../platform-answers.ts';
import { firstText } from '../read.ts';
import { isUnknownParameter } from './facet-fallback.ts';
import { readRun } from './run-detail.ts';
import { specName } from './run-identity.ts';

const CHAIN_LIMIT = 100;

async function sessionRuns(
  platform: PlatformClient,
  sessionId: string,
  currentRunId: string | null,
  nowMs: number,
  signal: AbortSignal,
): Promise<RunChain> {
  try {
    const query = {
      session_id: sessionId,
      sort_by: 'created_at',
      sort_order: 'asc',
      limit: CHAIN_LIMIT,
    };
    const body = await platform.read(listRuns, readRunPage, { query }, { signal });
    const items = required(body.runs, 'runs');
    const total = body.total ?? null;
    const runs = items.map((run) => {
      const runId = firstText(run.id, run.run_id) ?? '';
      return {
        run_id: runId,
        status: run.status ?? '',
        workflow_name: run.workflow_name ?? '',
        spec_name: specName(run),
        created_age: ageText(run.created_at, nowMs),
        current: runId === currentRunId,
      };
    });
    const truncated = total !== null && total > runs.length;
    return { available: true, session_id: sessionId, runs, total, truncated };
  } catch (error) {
    if (!isUnknownParameter(error)) throw error;
    return { available: false, session_id: sessionId, runs: [], total: null, truncated: false };
  }
}

/** The runs of the session that a run belongs to; unavailable when it belongs to none. */
export async function getRunChain(
  deps: DashboardDeps,
  operator: Operator,
  runId: string,
  signal: AbortSignal,
): Promise<RunChain> {
  const platform = operator.platform();
  const run = await readRun(platform, runId, signal);
  const sessionId = firstText(run.session_id);
  if (sessionId === null) {
    return { available: false, session_id: null, runs: [], total: null, truncated: false };
  }
  return sessionRuns(platform, sessionId, runId, deps.clock.now(), signal);
}

/** The runs of a session, oldest first. */
export function getSession(
  deps: DashboardDeps,
  operator: Operator,
  sessionId: string,
  signal: AbortSignal,
): Promise<RunChain> {
  return sessionRuns(operator.platform(), sessionId, null, deps.clock.now(), signal);
}
