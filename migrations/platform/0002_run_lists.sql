-- What lists filter, sort and show of a run, kept beside the run itself: one narrow row to look
-- through, and the redacted texts that a page is put together from. Rows of runs that are older than
-- this migration are written at the next start.

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

-- Each of the first four answers a filter and the order of its window without a look at the rows:
-- they hold every column that a list filters or sorts by.
CREATE INDEX run_list_newest ON run_list (
  updated_at DESC, seq, status, workflow_kind, workflow_name, has_error, created_at, agent_name,
  session_id, current_step_index, current_step_id, current_node_id, continuation_id,
  trace_event_count, trace_dropped, duration_ms, input_tokens, output_tokens, total_tokens,
  deadline_at, started_at, completed_at, run_id
);
CREATE INDEX run_list_by_status ON run_list (
  status, updated_at DESC, seq, workflow_kind, workflow_name, has_error, created_at, agent_name,
  session_id, current_step_index, current_step_id, current_node_id, continuation_id,
  trace_event_count, trace_dropped, duration_ms, input_tokens, output_tokens, total_tokens,
  deadline_at, started_at, completed_at, run_id
);
CREATE INDEX run_list_by_kind ON run_list (
  workflow_kind, updated_at DESC, seq, status, workflow_name, has_error, created_at, agent_name,
  session_id, current_step_index, current_step_id, current_node_id, continuation_id,
  trace_event_count, trace_dropped, duration_ms, input_tokens, output_tokens, total_tokens,
  deadline_at, started_at, completed_at, run_id
);
CREATE INDEX run_list_by_name ON run_list (
  workflow_name, updated_at DESC, seq, status, workflow_kind, has_error, created_at, agent_name,
  session_id, current_step_index, current_step_id, current_node_id, continuation_id,
  trace_event_count, trace_dropped, duration_ms, input_tokens, output_tokens, total_tokens,
  deadline_at, started_at, completed_at, run_id
);
CREATE INDEX run_list_failed ON run_list (updated_at DESC, seq) WHERE has_error = 1;
CREATE INDEX run_list_by_session ON run_list (session_id, updated_at DESC, seq)
  WHERE session_id IS NOT NULL;
CREATE INDEX run_list_by_created ON run_list (
  created_at, updated_at, seq, status, workflow_kind, workflow_name, has_error
);

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

DROP INDEX runs_by_updated;
DROP INDEX runs_by_session;
DROP INDEX runs_by_workflow_kind;
DROP INDEX runs_by_workflow_name;
DROP INDEX runs_by_environment;
