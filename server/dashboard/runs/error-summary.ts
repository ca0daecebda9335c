import { listRuns } from '../../contract/platform/runs.ts';
import { required } from '../../platform-client/answers.ts';
import type { Operator } from '../deps.ts';
import { firstText } from '../read.ts';

const SCAN_LIMIT = 200;
const SAMPLES = 3;

interface Group {
  workflow_kind: string;
  workflow_name: string;
  count: number;
  sample_run_ids: string[];
}

/** Failed runs of one window by workflow, most failing first; ties in the order they were met. */
export async function summarizeErrors(operator: Operator, signal: AbortSignal) {
  const query = {
    status: 'failed',
    sort_by: 'updated_at',
    sort_order: 'desc',
    limit: SCAN_LIMIT,
  };
  const body = await operator.platform().call(listRuns, { query }, { signal });
  const runs = required(body.runs, 'runs');
  const groups = new Map<string, Group>();
  for (const run of runs) {
    const kind = run.workflow_kind ?? '';
    const name = run.workflow_name ?? '';
    const key = JSON.stringify([kind, name]);
    const group = groups.get(key) ?? {
      workflow_kind: kind,
      workflow_name: name,
      count: 0,
      sample_run_ids: [],
    };
    groups.set(key, group);
    group.count += 1;
    const runId = firstText(run.id, run.run_id);
    if (runId !== null && group.sample_run_ids.length < SAMPLES) group.sample_run_ids.push(runId);
  }
  return {
    groups: [...groups.values()].sort((a, b) => b.count - a.count),
    total_failed: body.total ?? runs.length,
    scanned: runs.length,
  };
}
