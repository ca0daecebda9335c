import { BRIEF_RUNS_HEADER, listRuns } from '../../contract/platform/runs.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { required } from '../../platform-client/answers.ts';
import type { PlatformClient } from '../../platform-client/client.ts';
import { type RunItem, readRunPage } from '../platform-answers.ts';
import { timeOf } from '../read.ts';

const PAGES = 5;
const PAGE = 200;

/** How much of a window was looked at. */
export interface Scan {
  readonly scanned: number;
  readonly counted: number;
  readonly total: number | null;
  readonly truncated: boolean;
}

/**
 * Looks at the runs that were created since `boundary` (epoch ms), newest first, at most 1000 of
 * them (contract/dashboard.md 13). `each` gets those inside; a run without a readable time is one.
 * With `brief` it reads of a run no more than status, times and usage.
 */
export async function scanCreated(
  platform: PlatformClient,
  { boundary, brief }: { readonly boundary: number; readonly brief: boolean },
  each: (run: RunItem, createdAt: number | undefined) => void,
  signal: AbortSignal,
): Promise<Scan> {
  const options = { signal, ...(brief ? { headers: { [BRIEF_RUNS_HEADER]: '*' } } : {}) };
  let [scanned, counted] = [0, 0];
  let total: number | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const query = {
      created_after: toTimestamp(boundary),
      sort_by: 'created_at',
      sort_order: 'desc',
      limit: PAGE,
      offset: page * PAGE,
    };
    const body = await platform.read(listRuns, readRunPage, { query }, options);
    const runs: RunItem[] = [...required(body.runs, 'runs'), ...(body.brief ?? [])];
    scanned += runs.length;
    for (const run of runs) {
      const createdAt = timeOf(run.created_at);
      if ((createdAt ?? boundary) < boundary) continue;
      counted += 1;
      each(run, createdAt);
    }
    total = body.total ?? null;
    if (runs.length < PAGE || (total !== null && (page + 1) * PAGE >= total)) {
      return { scanned, counted, total, truncated: false };
    }
  }
  return { scanned, counted, total, truncated: true };
}
