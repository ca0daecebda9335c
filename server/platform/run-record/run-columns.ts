import type { RunsTable } from '../../store/platform-tables.ts';

// A run's row, for everybody who makes, changes, lists or shows one. The room promises: the columns
// of a run are named here and nowhere else, a row changes only for the holder of its token or for who
// still finds it as it was read, and what it shows is redacted.

type Column = keyof RunsTable;

/** What a request brought and the list of runs has, too. */
export const LISTED_AT_CREATE = [
  'session_id',
  'deadline_at',
  'created_at',
] as const satisfies Column[];

/** What execution decides and the list of runs has, too. */
export const LISTED_CHANGES = [
  'status',
  'workflow_kind',
  'workflow_name',
  'agent_name',
  'current_step_index',
  'current_step_id',
  'current_node_id',
  'continuation_id',
  'trace_event_count',
  'trace_dropped',
  'started_at',
  'completed_at',
  'updated_at',
] as const satisfies Column[];

/** All that execution decides. */
export const CHANGED_COLUMNS = [
  ...LISTED_CHANGES,
  'output_text',
  'visited_steps',
  'visited_nodes',
  'messages',
  'pending_human_request',
  'error',
  'usage',
  'run_metadata',
] as const satisfies Column[];

/** All columns of a run. */
export const RUN_COLUMNS = [
  'id',
  'target',
  'environment',
  'input_text',
  'created_metadata',
  'parent_run_id',
  'tags',
  'strict',
  'execution_token',
  'caller',
  'code_bundle',
  ...LISTED_AT_CREATE,
  ...CHANGED_COLUMNS,
] as const satisfies Column[];

/** What an execution or a transition may change of a run. */
export type RunChange = Readonly<Pick<RunsTable, (typeof CHANGED_COLUMNS)[number]>>;

/** The columns and their values by name, for an INSERT. */
export function insertedColumns(names: readonly string[]): string {
  return `(${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`;
}

/** The columns set to values by name, for an UPDATE. */
export function assignedColumns(names: readonly string[]): string {
  return names.map((name) => `${name} = @${name}`).join(', ');
}
