-- Runs, their engine state, checkpoints, trace, queue, human tasks, audit, idempotency, policies.
-- Times ending in _at are text in the one stored form, except where a comment says epoch seconds.

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  target TEXT NOT NULL,
  environment TEXT,
  workflow_kind TEXT NOT NULL,
  workflow_name TEXT,
  agent_name TEXT,
  session_id TEXT,
  input_text TEXT,
  output_text TEXT,
  current_step_index INTEGER,
  current_step_id TEXT,
  current_node_id TEXT,
  visited_steps TEXT NOT NULL DEFAULT '[]',
  visited_nodes TEXT NOT NULL DEFAULT '[]',
  messages TEXT NOT NULL DEFAULT '[]',
  pending_human_request TEXT,
  continuation_id TEXT,
  trace_event_count INTEGER NOT NULL DEFAULT 0,
  trace_dropped INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  usage TEXT,
  -- What the request brought: never changes after the insert.
  created_metadata TEXT NOT NULL,
  -- What the execution added.
  run_metadata TEXT NOT NULL DEFAULT '{}',
  parent_run_id TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  strict INTEGER NOT NULL DEFAULT 1,
  -- Redacted, lower-cased output and error message: what `q` looks in.
  search_text TEXT NOT NULL DEFAULT '',
  -- Whoever executes the run holds this token; every write of an execution names it.
  execution_token TEXT,
  -- Epoch seconds.
  deadline_at REAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  started_at TEXT,
  completed_at TEXT
) STRICT;

CREATE INDEX runs_by_updated ON runs (updated_at DESC, id);
CREATE INDEX runs_by_created ON runs (created_at);
CREATE INDEX runs_by_status ON runs (status, updated_at DESC);
CREATE INDEX runs_by_session ON runs (session_id, updated_at DESC);
CREATE INDEX runs_by_workflow_kind ON runs (workflow_kind, updated_at DESC);
CREATE INDEX runs_by_workflow_name ON runs (workflow_name, updated_at DESC);
CREATE INDEX runs_by_environment ON runs (environment, updated_at DESC);
CREATE INDEX runs_with_deadline ON runs (deadline_at) WHERE deadline_at IS NOT NULL;

-- The engine's state of a run that can still go on; unredacted.
CREATE TABLE run_states (
  run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- `snapshot` is the redacted run record without what the run itself or its trace rows still hold.
CREATE TABLE checkpoints (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  workflow_name TEXT,
  step_id TEXT,
  node_id TEXT,
  iteration INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  metadata TEXT NOT NULL,
  -- Trace rows of the run up to and including this number existed when it was written.
  trace_upto INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (run_id, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE trace_events (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  payload TEXT NOT NULL,
  PRIMARY KEY (run_id, sequence)
) STRICT, WITHOUT ROWID;

-- Times of the queue are epoch seconds.
CREATE TABLE run_queue (
  run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  available_at REAL NOT NULL,
  lease_owner TEXT,
  lease_expires_at REAL,
  error TEXT,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL
) STRICT;

CREATE INDEX run_queue_by_due ON run_queue (status, available_at, created_at);

-- One open human task each; unredacted.
CREATE TABLE continuations (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  workflow_kind TEXT,
  request_id TEXT NOT NULL,
  on_timeout TEXT NOT NULL,
  request TEXT NOT NULL,
  payload TEXT NOT NULL,
  -- Epoch seconds.
  expires_at REAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE INDEX continuations_by_run ON continuations (run_id);
CREATE INDEX continuations_by_expiry ON continuations (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE audit_events (
  id TEXT PRIMARY KEY,
  event_type TEXT NOT NULL,
  run_id TEXT,
  continuation_id TEXT,
  actor TEXT,
  metadata TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE INDEX audit_events_by_created ON audit_events (created_at DESC);
CREATE INDEX audit_events_by_type ON audit_events (event_type, created_at DESC);
CREATE INDEX audit_events_by_run ON audit_events (run_id, created_at DESC);

CREATE TABLE idempotency_records (
  principal TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  key TEXT NOT NULL,
  scope TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  status_code INTEGER NOT NULL,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (principal, method, path, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_records_by_updated ON idempotency_records (updated_at);

CREATE TABLE project_metadata (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
