-- Runs, their engine state, checkpoints, trace, queue, human tasks, audit, idempotency, policies, and
-- what lists are read from.
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
  -- Whoever executes the run holds this token; every write of an execution names it.
  execution_token TEXT,
  -- Epoch seconds.
  deadline_at REAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  started_at TEXT,
  completed_at TEXT
) STRICT;

CREATE INDEX runs_with_deadline ON runs (deadline_at) WHERE deadline_at IS NOT NULL;
-- Runs that somebody executes: few, and looked for at each start and sweep.
CREATE INDEX runs_held ON runs (status) WHERE execution_token IS NOT NULL;
CREATE INDEX runs_running ON runs (status) WHERE status = 'running';

-- The engine's state of a run that can still go on; unredacted.
CREATE TABLE run_states (
  run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- Checkpoints, trace and resume points lie in plain tables: in a tree of keys a page holds four of
-- their rows at most, and longer ones overflow. They are written in the order of time, so that they
-- follow one another.

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
  -- The resume point of the checkpoint; null for one from which a run cannot be run again.
  point INTEGER,
  PRIMARY KEY (run_id, sequence)
) STRICT;

CREATE TABLE trace_events (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  payload TEXT NOT NULL,
  PRIMARY KEY (run_id, sequence)
) STRICT;

-- Places from which a run can be run again; unredacted. `change` is the difference to the point before.
CREATE TABLE resume_points (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  change TEXT NOT NULL,
  PRIMARY KEY (run_id, number)
) STRICT;

-- Runs that are over and may still hold secrets that are not masked. A row is written with the end of
-- a run and removed with its masking, so that a kill in between is made up for at the next start.
CREATE TABLE runs_to_mask (
  run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
) STRICT;

-- Runs that were computed when their service died: how often at the same place, and at which one.
CREATE TABLE run_deaths (
  run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  deaths INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  died_at TEXT NOT NULL
) STRICT;

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
  updated_at TEXT NOT NULL,
  -- Redacted item of the list without its trace; none = made at the next read.
  shown TEXT
) STRICT;

CREATE INDEX continuations_by_run ON continuations (run_id);
CREATE INDEX continuations_by_expiry ON continuations (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX continuations_newest ON continuations (
  created_at DESC, id, status, workflow_kind, run_id, expires_at, request_id
);

-- Locks that services on one store share, and the services that are alive (`process:<owner>`, the
-- owner column holds the process id). Times are epoch seconds of the database's clock.
CREATE TABLE locks (
  name TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  expires_at REAL NOT NULL,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- Nobody looks an audit event up by its id. Its indexes grow at their end and are read backwards.
CREATE TABLE audit_events (
  id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  run_id TEXT,
  continuation_id TEXT,
  actor TEXT,
  metadata TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE INDEX audit_events_by_created ON audit_events (created_at);
CREATE INDEX audit_events_by_type ON audit_events (event_type, created_at);
CREATE INDEX audit_events_by_run ON audit_events (run_id, created_at);

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

-- What lists filter, sort and show of a run, kept beside the run itself: one narrow row to look
-- through, and the redacted texts that a page is put together from.

CREATE TABLE run_list (
  -- The number by which the tables below and the search index know the run.
  seq INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE REFERENCES runs (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  workflow_kind TEXT NOT NULL,
  workflow_name TEXT,
  agent_name TEXT,
  session_id TEXT,
  has_error INTEGER NOT NULL,
  current_step_index INTEGER,
  current_step_id TEXT,
  current_node_id TEXT,
  continuation_id TEXT,
  trace_event_count INTEGER NOT NULL,
  trace_dropped INTEGER NOT NULL,
  duration_ms REAL,
  input_tokens REAL,
  output_tokens REAL,
  total_tokens REAL,
  -- Epoch seconds.
  deadline_at REAL,
  started_at TEXT,
  completed_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- Each of the first three answers a filter and the order of its window without a look at the rows:
-- they hold every column that a list filters or sorts by.
CREATE INDEX run_list_newest ON run_list (
  updated_at DESC, seq, status, workflow_kind, workflow_name, has_error, created_at, agent_name,
  session_id, current_step_index, current_step_id, current_node_id, continuation_id,
  trace_event_count, trace_dropped, duration_ms, input_tokens, output_tokens, total_tokens,
  deadline_at, started_at, completed_at, run_id
);
-- One index for status and kind, alone or together: each pair of them is a part of the list in its
-- own order, and lists of several parts are merged.
CREATE INDEX run_list_parts ON run_list (
  workflow_kind, status, updated_at DESC, seq, workflow_name, has_error, created_at, agent_name,
  session_id, current_step_index, current_step_id, current_node_id, continuation_id,
  trace_event_count, trace_dropped, duration_ms, input_tokens, output_tokens, total_tokens,
  deadline_at, started_at, completed_at, run_id
);
-- Runs without a workflow name are not looked for by one: they need no place in its index.
CREATE INDEX run_list_by_name ON run_list (
  workflow_name, updated_at DESC, seq, status, workflow_kind, has_error, created_at, agent_name,
  session_id, current_step_index, current_step_id, current_node_id, continuation_id,
  trace_event_count, trace_dropped, duration_ms, input_tokens, output_tokens, total_tokens,
  deadline_at, started_at, completed_at, run_id
) WHERE workflow_name IS NOT NULL;
CREATE INDEX run_list_failed ON run_list (updated_at DESC, seq) WHERE has_error = 1;
CREATE INDEX run_list_by_session ON run_list (session_id, updated_at DESC, seq)
  WHERE session_id IS NOT NULL;
CREATE INDEX run_list_by_created ON run_list (
  created_at, updated_at, seq, status, workflow_kind, workflow_name, has_error
);
-- Runs that changed in later ten minutes of the clock than they were created in. Only they, and those
-- of the same ten minutes, can be older than a moment and have changed after it.
CREATE INDEX run_list_lasting ON run_list (
  updated_at DESC, created_at, seq, status, workflow_kind, workflow_name, has_error
) WHERE substr(updated_at, 1, 15) > substr(created_at, 1, 15);

-- Redacted facts of a run that never change. `metadata` is what the request brought; `short` is its
-- form for lists, where it is long.
CREATE TABLE run_created (
  seq INTEGER PRIMARY KEY REFERENCES run_list (seq) ON DELETE CASCADE,
  fields TEXT NOT NULL,
  short TEXT,
  metadata TEXT NOT NULL
) STRICT;

-- Redacted facts of a run as its last finished leg left them; `fresh` is 0 while a leg is executing.
CREATE TABLE run_outcomes (
  seq INTEGER PRIMARY KEY REFERENCES run_list (seq) ON DELETE CASCADE,
  fresh INTEGER NOT NULL,
  short_fields TEXT,
  short_metadata TEXT,
  fields TEXT NOT NULL,
  metadata TEXT NOT NULL
) STRICT;

-- How many runs there are of each kind, by the day of their creation. `workflow_name` is '' for none,
-- else the name after '='.
CREATE TABLE run_counts (
  day TEXT NOT NULL,
  status TEXT NOT NULL,
  workflow_kind TEXT NOT NULL,
  workflow_name TEXT NOT NULL,
  has_error INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  PRIMARY KEY (day, status, workflow_kind, workflow_name, has_error)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER run_list_inserted AFTER INSERT ON run_list BEGIN
  INSERT INTO run_counts (day, status, workflow_kind, workflow_name, has_error, runs)
  VALUES (substr(NEW.created_at, 1, 10), NEW.status, NEW.workflow_kind,
    coalesce('=' || NEW.workflow_name, ''), NEW.has_error, 1)
  ON CONFLICT DO UPDATE SET runs = runs + 1;
END;

CREATE TRIGGER run_list_changed
AFTER UPDATE OF status, workflow_kind, workflow_name, has_error ON run_list
WHEN NEW.status IS NOT OLD.status OR NEW.workflow_kind IS NOT OLD.workflow_kind
  OR NEW.workflow_name IS NOT OLD.workflow_name OR NEW.has_error IS NOT OLD.has_error
BEGIN
  UPDATE run_counts SET runs = runs - 1
  WHERE day = substr(OLD.created_at, 1, 10) AND status = OLD.status
    AND workflow_kind = OLD.workflow_kind
    AND workflow_name = coalesce('=' || OLD.workflow_name, '') AND has_error = OLD.has_error;
  INSERT INTO run_counts (day, status, workflow_kind, workflow_name, has_error, runs)
  VALUES (substr(NEW.created_at, 1, 10), NEW.status, NEW.workflow_kind,
    coalesce('=' || NEW.workflow_name, ''), NEW.has_error, 1)
  ON CONFLICT DO UPDATE SET runs = runs + 1;
END;

CREATE TRIGGER run_list_removed AFTER DELETE ON run_list BEGIN
  UPDATE run_counts SET runs = runs - 1
  WHERE day = substr(OLD.created_at, 1, 10) AND status = OLD.status
    AND workflow_kind = OLD.workflow_kind
    AND workflow_name = coalesce('=' || OLD.workflow_name, '') AND has_error = OLD.has_error;
  DELETE FROM run_counts WHERE day = substr(OLD.created_at, 1, 10) AND runs = 0;
END;

-- Where `q` looks: the redacted, lower-cased input and outcome of each run. A run stands in the indexes
-- of the next migration while `indexed` is 1; the others are looked through.
CREATE TABLE run_search (
  seq INTEGER PRIMARY KEY REFERENCES run_list (seq) ON DELETE CASCADE,
  indexed INTEGER NOT NULL DEFAULT 0,
  input TEXT NOT NULL,
  outcome TEXT NOT NULL
) STRICT;

CREATE INDEX run_search_waiting ON run_search (seq) WHERE indexed = 0;
