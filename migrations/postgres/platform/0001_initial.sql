-- Runs, their engine state, checkpoints, trace, queue, human tasks, audit, idempotency, policies, and
-- what lists are read from.
-- Times ending in _at are text in the one stored form, except where a comment says epoch seconds.

CREATE TABLE runs (
  id TEXT COLLATE "C" PRIMARY KEY,
  status TEXT COLLATE "C" NOT NULL,
  target TEXT COLLATE "C" NOT NULL,
  environment TEXT COLLATE "C",
  workflow_kind TEXT COLLATE "C" NOT NULL,
  workflow_name TEXT COLLATE "C",
  agent_name TEXT COLLATE "C",
  session_id TEXT COLLATE "C",
  input_text TEXT COLLATE "C",
  output_text TEXT COLLATE "C",
  current_step_index BIGINT,
  current_step_id TEXT COLLATE "C",
  current_node_id TEXT COLLATE "C",
  visited_steps TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  visited_nodes TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  messages TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  pending_human_request TEXT COLLATE "C",
  continuation_id TEXT COLLATE "C",
  trace_event_count BIGINT NOT NULL DEFAULT 0,
  trace_dropped BIGINT NOT NULL DEFAULT 0,
  error TEXT COLLATE "C",
  usage TEXT COLLATE "C",
  -- What the request brought: never changes after the insert.
  created_metadata TEXT COLLATE "C" NOT NULL,
  -- What the execution added.
  run_metadata TEXT COLLATE "C" NOT NULL DEFAULT '{}',
  parent_run_id TEXT COLLATE "C",
  tags TEXT COLLATE "C" NOT NULL DEFAULT '[]',
  strict BIGINT NOT NULL DEFAULT 1,
  -- Whoever executes the run holds this token; every write of an execution names it.
  execution_token TEXT COLLATE "C",
  -- Epoch seconds.
  deadline_at DOUBLE PRECISION,
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL,
  started_at TEXT COLLATE "C",
  completed_at TEXT COLLATE "C"
);

CREATE INDEX runs_with_deadline ON runs (deadline_at) WHERE deadline_at IS NOT NULL;
-- Runs that somebody executes: few, and looked for at each start and sweep.
CREATE INDEX runs_held ON runs (status) WHERE execution_token IS NOT NULL;
CREATE INDEX runs_running ON runs (status) WHERE status = 'running';

-- The engine's state of a run that can still go on; unredacted.
CREATE TABLE run_states (
  run_id TEXT COLLATE "C" PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  state TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL
);

-- `snapshot` is the redacted run record without what the run itself or its trace rows still hold.
CREATE TABLE checkpoints (
  run_id TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  sequence BIGINT NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  workflow_name TEXT COLLATE "C",
  step_id TEXT COLLATE "C",
  node_id TEXT COLLATE "C",
  iteration BIGINT NOT NULL,
  snapshot TEXT COLLATE "C" NOT NULL,
  metadata TEXT COLLATE "C" NOT NULL,
  -- Trace rows of the run up to and including this number existed when it was written.
  trace_upto BIGINT NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  -- The resume point of the checkpoint; null for one from which a run cannot be run again.
  point BIGINT,
  PRIMARY KEY (run_id, sequence)
);

CREATE TABLE trace_events (
  run_id TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  sequence BIGINT NOT NULL,
  event_id TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  timestamp TEXT COLLATE "C" NOT NULL,
  payload TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (run_id, sequence)
);

-- Places from which a run can be run again; unredacted. `change` is the difference to the point before.
CREATE TABLE resume_points (
  run_id TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number BIGINT NOT NULL,
  change TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (run_id, number)
);

-- Runs that are over and may still hold secrets that are not masked. A row is written with the end of
-- a run and removed with its masking, so that a kill in between is made up for at the next start.
CREATE TABLE runs_to_mask (
  run_id TEXT COLLATE "C" PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
);

-- Runs that were computed when their service died: how often at the same place, and at which one.
CREATE TABLE run_deaths (
  run_id TEXT COLLATE "C" PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  deaths BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  died_at TEXT COLLATE "C" NOT NULL
);

-- Times of the queue are epoch seconds.
CREATE TABLE run_queue (
  rowid BIGINT GENERATED ALWAYS AS IDENTITY,
  run_id TEXT COLLATE "C" PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  status TEXT COLLATE "C" NOT NULL,
  attempts BIGINT NOT NULL DEFAULT 0,
  available_at DOUBLE PRECISION NOT NULL,
  lease_owner TEXT COLLATE "C",
  lease_expires_at DOUBLE PRECISION,
  error TEXT COLLATE "C",
  created_at DOUBLE PRECISION NOT NULL,
  updated_at DOUBLE PRECISION NOT NULL
);

CREATE INDEX run_queue_by_due ON run_queue (status, available_at, created_at);

-- One open human task each; unredacted.
CREATE TABLE continuations (
  rowid BIGINT GENERATED ALWAYS AS IDENTITY,
  id TEXT COLLATE "C" PRIMARY KEY,
  run_id TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  status TEXT COLLATE "C" NOT NULL,
  workflow_kind TEXT COLLATE "C",
  request_id TEXT COLLATE "C" NOT NULL,
  on_timeout TEXT COLLATE "C" NOT NULL,
  request TEXT COLLATE "C" NOT NULL,
  payload TEXT COLLATE "C" NOT NULL,
  -- Epoch seconds.
  expires_at DOUBLE PRECISION,
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL,
  -- Redacted item of the list without its trace; none = made at the next read.
  shown TEXT COLLATE "C"
);

CREATE INDEX continuations_by_run ON continuations (run_id);
CREATE INDEX continuations_by_expiry ON continuations (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX continuations_newest ON continuations (created_at DESC, id);

-- Locks that services on one store share, and the services that are alive (`process:<owner>`, the
-- owner column holds the process id). Times are epoch seconds of the database's clock.
CREATE TABLE locks (
  name TEXT COLLATE "C" PRIMARY KEY,
  owner TEXT COLLATE "C" NOT NULL,
  expires_at DOUBLE PRECISION NOT NULL,
  created_at DOUBLE PRECISION NOT NULL,
  updated_at DOUBLE PRECISION NOT NULL
);

-- Nobody looks an audit event up by its id. Its indexes grow at their end and are read backwards.
CREATE TABLE audit_events (
  rowid BIGINT GENERATED ALWAYS AS IDENTITY,
  id TEXT COLLATE "C" NOT NULL,
  event_type TEXT COLLATE "C" NOT NULL,
  run_id TEXT COLLATE "C",
  continuation_id TEXT COLLATE "C",
  actor TEXT COLLATE "C",
  metadata TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX audit_events_by_row ON audit_events (rowid);
CREATE INDEX audit_events_by_created ON audit_events (created_at);
CREATE INDEX audit_events_by_type ON audit_events (event_type, created_at);
CREATE INDEX audit_events_by_run ON audit_events (run_id, created_at);

CREATE TABLE idempotency_records (
  principal TEXT COLLATE "C" NOT NULL,
  method TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  scope TEXT COLLATE "C" NOT NULL,
  request_hash TEXT COLLATE "C" NOT NULL,
  status_code BIGINT NOT NULL,
  body TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (principal, method, path, key)
);

CREATE INDEX idempotency_records_by_updated ON idempotency_records (updated_at);

CREATE TABLE project_metadata (
  key TEXT COLLATE "C" PRIMARY KEY,
  value TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL
);

-- What lists filter, sort and show of a run, kept beside the run itself: one narrow row to look
-- through, and the redacted texts that a page is put together from.

CREATE TABLE run_list (
  -- The number by which the tables below and the search index know the run.
  seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  run_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES runs (id) ON DELETE CASCADE,
  status TEXT COLLATE "C" NOT NULL,
  workflow_kind TEXT COLLATE "C" NOT NULL,
  workflow_name TEXT COLLATE "C",
  agent_name TEXT COLLATE "C",
  session_id TEXT COLLATE "C",
  has_error BIGINT NOT NULL,
  current_step_index BIGINT,
  current_step_id TEXT COLLATE "C",
  current_node_id TEXT COLLATE "C",
  continuation_id TEXT COLLATE "C",
  trace_event_count BIGINT NOT NULL,
  trace_dropped BIGINT NOT NULL,
  duration_ms DOUBLE PRECISION,
  input_tokens DOUBLE PRECISION,
  output_tokens DOUBLE PRECISION,
  total_tokens DOUBLE PRECISION,
  -- Epoch seconds.
  deadline_at DOUBLE PRECISION,
  started_at TEXT COLLATE "C",
  completed_at TEXT COLLATE "C",
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL
);

CREATE INDEX run_list_newest ON run_list (updated_at DESC, seq);
CREATE INDEX run_list_by_status ON run_list (status, updated_at DESC, seq);
CREATE INDEX run_list_by_kind ON run_list (workflow_kind, updated_at DESC, seq);
-- Texts of any length are indexed by their beginning.
CREATE INDEX run_list_by_name ON run_list (left(workflow_name, 100), updated_at DESC, seq)
  WHERE workflow_name IS NOT NULL;
CREATE INDEX run_list_failed ON run_list (updated_at DESC, seq) WHERE has_error = 1;
CREATE INDEX run_list_by_session ON run_list (left(session_id, 100), updated_at DESC, seq)
  WHERE session_id IS NOT NULL;
CREATE INDEX run_list_by_created ON run_list (created_at, seq);
CREATE INDEX run_list_by_deadline ON run_list (deadline_at)
  WHERE deadline_at IS NOT NULL AND status IN ('queued', 'running', 'blocked');

-- Redacted facts of a run that never change. `metadata` is what the request brought; `short` is its
-- form for lists, where it is long.
CREATE TABLE run_created (
  seq BIGINT PRIMARY KEY REFERENCES run_list (seq) ON DELETE CASCADE,
  fields TEXT COLLATE "C" NOT NULL,
  short TEXT COLLATE "C",
  metadata TEXT COLLATE "C" NOT NULL
);

-- Redacted facts of a run as its last finished leg left them; `fresh` is 0 while a leg is executing.
CREATE TABLE run_outcomes (
  seq BIGINT PRIMARY KEY REFERENCES run_list (seq) ON DELETE CASCADE,
  fresh BIGINT NOT NULL,
  short_fields TEXT COLLATE "C",
  short_metadata TEXT COLLATE "C",
  fields TEXT COLLATE "C" NOT NULL,
  metadata TEXT COLLATE "C" NOT NULL
);

-- How many runs there are of each kind, by the day of their creation. `workflow_name` is '' for none,
-- else the name after '='. Transactions only add to the changes, so that none waits for another; a
-- sweep folds them.
CREATE TABLE run_counts_folded (
  day TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  workflow_kind TEXT COLLATE "C" NOT NULL,
  workflow_name TEXT COLLATE "C" NOT NULL,
  has_error BIGINT NOT NULL,
  runs BIGINT NOT NULL
);

CREATE INDEX run_counts_folded_by_day ON run_counts_folded (day, status, workflow_kind);

CREATE TABLE run_count_changes (
  day TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  workflow_kind TEXT COLLATE "C" NOT NULL,
  workflow_name TEXT COLLATE "C" NOT NULL,
  has_error BIGINT NOT NULL,
  runs BIGINT NOT NULL
);

CREATE VIEW run_counts AS
  SELECT * FROM run_counts_folded UNION ALL SELECT * FROM run_count_changes;

CREATE FUNCTION count_listed_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO run_count_changes (day, status, workflow_kind, workflow_name, has_error, runs)
    VALUES (substr(OLD.created_at, 1, 10), OLD.status, OLD.workflow_kind,
      coalesce('=' || OLD.workflow_name, ''), OLD.has_error, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO run_count_changes (day, status, workflow_kind, workflow_name, has_error, runs)
    VALUES (substr(NEW.created_at, 1, 10), NEW.status, NEW.workflow_kind,
      coalesce('=' || NEW.workflow_name, ''), NEW.has_error, 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER run_list_counted AFTER INSERT OR DELETE ON run_list
FOR EACH ROW EXECUTE FUNCTION count_listed_run();

CREATE TRIGGER run_list_recounted AFTER UPDATE ON run_list FOR EACH ROW
WHEN (NEW.status IS DISTINCT FROM OLD.status
  OR NEW.workflow_kind IS DISTINCT FROM OLD.workflow_kind
  OR NEW.workflow_name IS DISTINCT FROM OLD.workflow_name
  OR NEW.has_error IS DISTINCT FROM OLD.has_error)
EXECUTE FUNCTION count_listed_run();

-- Where `q` looks: the redacted, lower-cased input and outcome of each run. A run stands in the index
-- of the next migration while `indexed` is 1; the others are looked through.
CREATE TABLE run_search (
  seq BIGINT PRIMARY KEY REFERENCES run_list (seq) ON DELETE CASCADE,
  indexed BIGINT NOT NULL DEFAULT 0,
  input TEXT COLLATE "C" NOT NULL,
  outcome TEXT COLLATE "C" NOT NULL
);

CREATE INDEX run_search_waiting ON run_search (seq) WHERE indexed = 0;
