-- Rows of some length lie in plain tables: in a tree of keys a page holds four of them at most, and
-- longer ones overflow. They are written in the order of time, so that they follow one another.
CREATE TABLE plain_checkpoints (
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
  trace_upto INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  point INTEGER,
  PRIMARY KEY (run_id, sequence)
) STRICT;
INSERT INTO plain_checkpoints SELECT * FROM checkpoints ORDER BY created_at, run_id, sequence;
DROP TABLE checkpoints;
ALTER TABLE plain_checkpoints RENAME TO checkpoints;

CREATE TABLE plain_trace_events (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  payload TEXT NOT NULL,
  PRIMARY KEY (run_id, sequence)
) STRICT;
INSERT INTO plain_trace_events SELECT * FROM trace_events;
DROP TABLE trace_events;
ALTER TABLE plain_trace_events RENAME TO trace_events;

CREATE TABLE plain_resume_points (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  change TEXT NOT NULL,
  PRIMARY KEY (run_id, number)
) STRICT;
INSERT INTO plain_resume_points SELECT * FROM resume_points;
DROP TABLE resume_points;
ALTER TABLE plain_resume_points RENAME TO resume_points;

-- Nobody looks an audit event up by its id. Its indexes grow at their end and are read backwards.
CREATE TABLE plain_audit_events (
  id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  run_id TEXT,
  continuation_id TEXT,
  actor TEXT,
  metadata TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
INSERT INTO plain_audit_events (rowid, id, event_type, run_id, continuation_id, actor, metadata, created_at)
  SELECT rowid, id, event_type, run_id, continuation_id, actor, metadata, created_at
  FROM audit_events ORDER BY rowid;
DROP TABLE audit_events;
ALTER TABLE plain_audit_events RENAME TO audit_events;
CREATE INDEX audit_events_by_created ON audit_events (created_at);
CREATE INDEX audit_events_by_type ON audit_events (event_type, created_at);
CREATE INDEX audit_events_by_run ON audit_events (run_id, created_at);

-- Of the runs themselves only those that somebody executes are looked for by their status.
DROP INDEX runs_by_status;
CREATE INDEX runs_running ON runs (status) WHERE status = 'running';
