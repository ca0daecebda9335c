import type { RunChain, SessionView } from '../../contract/dashboard/runs.ts';
import { listRuns } from '../../contract/platform/runs.ts';
import { required } from '../../platform-client/answers.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { ageText } from '../age.ts';
import type { DashboardDeps, Operator } from '../deps.ts';
import { type RunItem, readRunPage } from '../platform-answers.ts';
import { excerptOf } from '../preview.ts';
import { firstText, textOrNull } from '../read.ts';
import { getPriceBook } from '../settings/pricing.ts';
import { isUnknownParameter } from './facet-fallback.ts';
import { readRun } from './run-detail.ts';
import { specName } from './run-identity.ts';
import { errorText } from './run-view.ts';
import { usageView } from './usage-view.ts';

const CHAIN_LIMIT = 100;

interface SessionRuns<Run> {
  readonly available: boolean;
  readonly session_id: string;
  readonly runs: Run[];
  readonly total: number | null;
  readonly truncated: boolean;
}

async function sessionRuns<Run>(
  platform: PlatformClient,
  sessionId: string,
  signal: AbortSignal,
  viewOf: (run: RunItem) => Run,
): Promise<SessionRuns<Run>> {
  try {
    const query = {
      session_id: sessionId,
      sort_by: 'created_at',
      sort_order: 'asc',
      limit: CHAIN_LIMIT,
    };
    const body = await platform.read(listRuns, readRunPage, { query }, { signal });
    const runs = required(body.runs, 'runs').map(viewOf);
    const total = body.total ?? null;
    const truncated = total !== null && total > runs.length;
    return { available: true, session_id: sessionId, runs, total, truncated };
  } catch (error) {
    if (!isUnknownParameter(error)) throw error;
    return { available: false, session_id: sessionId, runs: [], total: null, truncated: false };
  }
}

function chainRun(run: RunItem, currentRunId: string | null, nowMs: number) {
  const runId = firstText(run.id, run.run_id) ?? '';
  return {
    run_id: runId,
    status: run.status ?? '',
    workflow_name: run.workflow_name ?? '',
    spec_name: specName(run),
    created_age: ageText(run.created_at, nowMs),
    current: runId === currentRunId,
  };
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
  const nowMs = deps.clock.now();
  return sessionRuns(platform, sessionId, signal, (each) => chainRun(each, runId, nowMs));
}

/** The runs of a session, oldest first, with what was said in them. */
export async function getSession(
  deps: DashboardDeps,
  operator: Operator,
  sessionId: string,
  signal: AbortSignal,
): Promise<SessionView> {
  const nowMs = deps.clock.now();
  const prices = await getPriceBook(deps.db);
  return sessionRuns(operator.platform(), sessionId, signal, (run) => ({
    ...chainRun(run, null, nowMs),
    created_at: textOrNull(run.created_at),
    started_at: textOrNull(run.started_at),
    completed_at: textOrNull(run.completed_at),
    input_excerpt: excerptOf(run.input_text),
    output_excerpt: excerptOf(run.output_text),
    error_excerpt: excerptOf(errorText(run.error)),
    usage: usageView(run, prices),
  }));
}
