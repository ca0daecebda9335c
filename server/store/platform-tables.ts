/** Rows of the platform store. Columns that hold JSON are text here; times are named in the migration. */
export interface RunsTable {
  id: string;
  status: string;
  target: string;
  environment: string | null;
  workflow_kind: string;
  workflow_name: string | null;
  agent_name: string | null;
  session_id: string | null;
  input_text: string | null;
  output_text: string | null;
  current_step_index: number | null;
  current_step_id: string | null;
  current_node_id: string | null;
  visited_steps: string;
  visited_nodes: string;
  messages: string;
  pending_human_request: string | null;
  continuation_id: string | null;
  trace_event_count: number;
  trace_dropped: number;
  error: string | null;
  usage: string | null;
  created_metadata: string;
  run_metadata: string;
  parent_run_id: string | null;
  tags: string;
  strict: number;
  execution_token: string | null;
  caller: string | null;
  deadline_at: number | null;
  /** Hash of the functions that it was created with. */
  code_bundle: string | null;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  completed_at: string | null;
}

/** The functions of runs, packed and signed. */
export interface CodeBundlesTable {
  sha256: string;
  content: Buffer;
  used_at: number;
}

/** One narrow row a run, for filters and sorts. */
export interface RunListTable {
  /** Assigned by the store. */
  seq?: number;
  run_id: string;
  status: string;
  workflow_kind: string;
  workflow_name: string | null;
  agent_name: string | null;
  session_id: string | null;
  has_error: number;
  current_step_index: number | null;
  current_step_id: string | null;
  current_node_id: string | null;
  continuation_id: string | null;
  trace_event_count: number;
  trace_dropped: number;
  duration_ms: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  total_tokens: number | null;
  deadline_at: number | null;
  started_at: string | null;
  completed_at: string | null;
  created_at: string;
  updated_at: string;
}

/** Redacted JSON of what never changes of a run. */
export interface RunCreatedTable {
  seq: number;
  fields: string;
  short: string | null;
  metadata: string;
}

/** Redacted JSON of what a run's last finished leg left. */
export interface RunOutcomesTable {
  seq: number;
  fresh: number;
  short_fields: string | null;
  short_metadata: string | null;
  fields: string;
  metadata: string;
}

export interface RunCountsTable {
  day: string;
  status: string;
  workflow_kind: string;
  workflow_name: string;
  has_error: number;
  runs: number;
}

/** What `q` looks in: redacted, lower case. */
export interface RunSearchTable {
  seq: number;
  indexed: number;
  input: string;
  outcome: string;
}

export interface RunStatesTable {
  run_id: string;
  state: string;
  updated_at: string;
}

export interface CheckpointsTable {
  run_id: string;
  sequence: number;
  id: string;
  type: string;
  workflow_name: string | null;
  step_id: string | null;
  node_id: string | null;
  iteration: number;
  snapshot: string;
  metadata: string;
  trace_upto: number;
  created_at: string;
  point: number | null;
}

export interface ResumePointsTable {
  run_id: string;
  number: number;
  change: string;
}

export interface LocksTable {
  name: string;
  owner: string;
  expires_at: number;
  created_at: number;
  updated_at: number;
}

export interface RunDeathsTable {
  run_id: string;
  /** Deaths of a service at this place of the run. */
  deaths: number;
  /** How far the run was stored. */
  seq: number;
  died_at: string;
}

export interface TraceEventsTable {
  run_id: string;
  sequence: number;
  event_id: string;
  type: string;
  timestamp: string;
  payload: string;
}

export interface RunQueueTable {
  queue: string;
  rank: number;
  workflow: string | null;
  caller: string | null;
  concurrency_key: string | null;
  run_id: string;
  status: string;
  attempts: number;
  available_at: number;
  lease_owner: string | null;
  lease_expires_at: number | null;
  error: string | null;
  created_at: number;
  updated_at: number;
  /** JSON of a leg that a node handed over. */
  handed: string | null;
  /** JSON of how it ended. */
  leg_end: string | null;
}

export interface ContinuationsTable {
  id: string;
  run_id: string;
  status: string;
  workflow_kind: string | null;
  request_id: string;
  on_timeout: string;
  request: string;
  payload: string;
  expires_at: number | null;
  created_at: string;
  updated_at: string;
  shown: string | null;
}

export interface AuditEventsTable {
  id: string;
  event_type: string;
  run_id: string | null;
  continuation_id: string | null;
  actor: string | null;
  metadata: string;
  created_at: string;
}

export interface IdempotencyRecordsTable {
  principal: string;
  method: string;
  path: string;
  key: string;
  scope: string;
  request_hash: string;
  status_code: number;
  body: string;
  created_at: string;
  updated_at: string;
}

export interface ProjectMetadataTable {
  key: string;
  value: string;
  updated_at: string;
}

export interface RunsToMaskTable {
  run_id: string;
}

/** A receiver of events; its secrets are sealed. */
export interface WebhooksTable {
  id: string;
  url: string;
  description: string;
  events: string;
  enabled: number;
  disabled_because: string | null;
  secret: string;
  previous_secret: string | null;
  previous_until: number | null;
  created_at: string;
  updated_at: string;
  last_success_at: string | null;
  last_failure_at: string | null;
  last_failure: string | null;
}

export interface OutgoingEventsTable {
  id: string;
  type: string;
  run_id: string;
  payload: string;
  created_at: string;
}

export interface EventDeliveriesTable {
  webhook_id: string;
  event_id: string;
  status: string;
  attempts: number;
  due_at: number;
  last_error: string | null;
  created_at: string;
  updated_at: string;
}

interface UsageCounts {
  calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  total_tokens: number;
}

/** What models used on one day; an empty text stands where there is no name. */
export interface UsageByDayTable extends UsageCounts {
  day: string;
  caller: string;
  workflow: string;
  step: string;
  provider: string;
  model: string;
}

/** What models used in one month; an empty text stands where there is no name. */
export interface UsageByMonthTable extends UsageCounts {
  month: string;
  caller: string;
  workflow: string;
  provider: string;
  model: string;
}

/** What the models of one run used. */
export interface RunUsageTable extends UsageCounts {
  run_id: string;
  step: string;
  provider: string;
  model: string;
}

export interface PlatformTables {
  usage_by_day: UsageByDayTable;
  usage_by_month: UsageByMonthTable;
  run_usage: RunUsageTable;
  webhooks: WebhooksTable;
  outgoing_events: OutgoingEventsTable;
  event_deliveries: EventDeliveriesTable;
  runs: RunsTable;
  code_bundles: CodeBundlesTable;
  run_list: RunListTable;
  run_created: RunCreatedTable;
  run_outcomes: RunOutcomesTable;
  run_counts: RunCountsTable;
  run_search: RunSearchTable;
  run_states: RunStatesTable;
  checkpoints: CheckpointsTable;
  resume_points: ResumePointsTable;
  runs_to_mask: RunsToMaskTable;
  locks: LocksTable;
  trace_events: TraceEventsTable;
  run_queue: RunQueueTable;
  run_deaths: RunDeathsTable;
  continuations: ContinuationsTable;
  audit_events: AuditEventsTable;
  idempotency_records: IdempotencyRecordsTable;
  project_metadata: ProjectMetadataTable;
}
