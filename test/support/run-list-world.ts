// A list of runs over a store with rows of every shape.
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import type { ListRequest } from '../../server/contract/platform/lists.ts';
import { toTimestamp } from '../../server/kernel/timestamp.ts';
import { listFactsOf } from '../../server/platform/lists/page-items.ts';
import type { RunFilter } from '../../server/platform/run-list/run-filter.ts';
import { createRunList, type RunList } from '../../server/platform/run-list/run-list.ts';
import { runListBytes } from '../../server/platform/run-list/run-list-bytes.ts';
import {
  createRunsRepository,
  type RunsRepository,
} from '../../server/platform/run-record/runs-repository.ts';
import { type Database, openDatabase } from '../../server/store/open-database.ts';
import type { PlatformTables, RunsTable } from '../../server/store/platform-tables.ts';

const alone = { soon: (work: () => void) => work() };
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
export const NEWEST: ListRequest = {
  limit: 1000,
  offset: 0,
  sort_by: 'updated_at',
  sort_order: 'desc',
};

export let store: Database<PlatformTables>;
export let runs: RunsRepository;
export let list: RunList;
export const made: RunsTable[] = [];

function open(): void {
  list = createRunList(store, quiet, alone);
  runs = createRunsRepository(store, list.listener);
}
function rowOf(change: Partial<RunsTable>): RunsTable {
  const at = toTimestamp(Date.UTC(2026, 0, 1) + made.length * 1000);
  return {
    id: `run-${made.length}`,
    status: 'completed',
    target: 'workflow',
    environment: null,
    workflow_kind: 'workflow',
    workflow_name: null,
    agent_name: null,
    session_id: null,
    input_text: null,
    output_text: null,
    current_step_index: null,
    current_step_id: null,
    current_node_id: null,
    visited_steps: '[]',
    visited_nodes: '[]',
    messages: '[]',
    pending_human_request: null,
    continuation_id: null,
    trace_event_count: 0,
    trace_dropped: 0,
    error: null,
    usage: null,
    created_metadata: '{}',
    run_metadata: '{}',
    parent_run_id: null,
    tags: '[]',
    strict: 1,
    execution_token: null,
    caller: null,
    deadline_at: null,
    code_bundle: null,
    created_at: at,
    updated_at: at,
    started_at: null,
    completed_at: null,
    ...change,
  };
}

export function add(change: Partial<RunsTable>): RunsTable {
  const row = rowOf(change);
  runs.insert(row);
  made.push(row);
  return row;
}

export function listed(seqs: readonly number[]) {
  const items = list.items(seqs);
  const bytes = runListBytes(items, listFactsOf(NEWEST, items.length, items.length));
  const text = Buffer.from(bytes).toString();
  return JSON.parse(text).runs;
}

export async function idsOf(
  filter: RunFilter,
  request: Partial<ListRequest> = {},
): Promise<string[]> {
  const { seqs } = await list.page(filter, { ...NEWEST, ...request });
  return listed(seqs).map(({ run_id }: { run_id: string }) => run_id);
}

/** Each test of the file that calls this gets a store of its own. */
export function freshLists(): void {
  beforeEach(() => {
    store = openDatabase<PlatformTables>({
      name: 'platform',
      file: ':memory:',
      migrations: fileURLToPath(new URL('../../migrations/platform', import.meta.url)),
      now: () => 0,
    });
    open();
    made.length = 0;
  });
  afterEach(() => store.close());
}

/** Rows as a sort puts them. */
export function inOrder(
  rows: readonly RunsTable[],
  keyOf: (row: RunsTable) => string | null,
  sign: 1 | -1,
): RunsTable[] {
  const bytes = (row: RunsTable) => Buffer.from(keyOf(row) ?? '');
  return [...rows].sort((a, b) => sign * Buffer.compare(bytes(a), bytes(b)));
}

export const TIMES = [0, 1, 40_000, 599_999, 600_000, 86_399_999, 86_400_000, 200_000_000].map(
  (ms) => toTimestamp(Date.UTC(2026, 0, 1) + ms),
);
