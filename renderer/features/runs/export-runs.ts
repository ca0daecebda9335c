import { listRuns, type RunRow } from '../../../server/contract/dashboard/runs.ts';
import { call } from '../../data/api-client.ts';
import { runName } from '../../data/run-name.ts';
import { csvText } from '../../ui/csv-text.ts';
import { type RunFilter, runQuery } from './run-filter-model.ts';
import { rowDuration } from './run-model.ts';

export type ExportFormat = 'csv' | 'json';

/** Runs of one read; the largest page of the service. */
const PAGE = 200;

/** Rows of a list with what must be known about them. */
export interface ExportedRuns {
  readonly rows: readonly RunRow[];
  /** Runs that match; more than `rows` when the platform's window ends before. */
  readonly total: number;
}

/**
 * Reads every run of a filter that the platform's window reaches. Runs that move while it reads
 * are written once; the order stays that of the list.
 */
export async function readRuns(filter: RunFilter, nowMs: number): Promise<ExportedRuns> {
  const query = runQuery(filter, nowMs);
  const rows = new Map<string, RunRow>();
  let total = 0;
  for (let offset = 0; ; offset += PAGE) {
    const list = await call(listRuns, { query: { ...query, limit: PAGE, offset } });
    total = list.total;
    for (const row of list.rows) {
      rows.set(row.run_id, row);
    }
    const end = filter.stuck === true ? list.total : Math.min(list.total, list.window);
    if (list.rows.length === 0 || offset + PAGE >= end) {
      return { rows: [...rows.values()], total: Math.max(total, rows.size) };
    }
  }
}

const CELLS: readonly (readonly [
  name: string,
  value: (run: RunRow) => string | number | boolean | null,
])[] = [
  ['run_id', (run) => run.run_id],
  ['status', (run) => run.status],
  ['name', (run) => runName(run)],
  ['workflow', (run) => run.workflow_name],
  ['kind', (run) => run.workflow_kind],
  ['agent', (run) => run.agent_name],
  ['environment', (run) => run.environment],
  ['at', (run) => run.current_node_id ?? run.current_step_id],
  ['input', (run) => run.input_preview],
  ['output', (run) => run.output_preview],
  ['error', (run) => run.error_preview],
  ['offline', (run) => run.offline],
  ['took_ms', (run) => rowDuration(run)],
  ['created_at', (run) => run.created_at],
  ['updated_at', (run) => run.updated_at],
  ['has_error', (run) => run.has_error],
  ['stuck', (run) => run.stuck],
  ['stuck_reason', (run) => run.stuck_reason],
  ['input_tokens', (run) => run.usage?.input_tokens ?? null],
  ['output_tokens', (run) => run.usage?.output_tokens ?? null],
  ['total_tokens', (run) => run.usage?.total_tokens ?? null],
  ['cost', (run) => run.usage?.cost_usd ?? null],
  ['currency', (run) => run.usage?.currency ?? null],
];

/** The file of an export: all columns, whichever are shown. */
export function runsText(rows: readonly RunRow[], format: ExportFormat): Promise<string> {
  return format === 'json'
    ? Promise.resolve(`${JSON.stringify(rows, null, 2)}\n`)
    : csvText(
        CELLS.map(([name]) => name),
        rows.map((run) => CELLS.map(([, value]) => value(run))),
      );
}
