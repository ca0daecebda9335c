-- Runs of a draft as it stood in the editor, without an artifact: the way back from the run.
CREATE TABLE draft_run (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project (id),
  draft_ref TEXT NOT NULL,
  -- The saved revision that the text grew from, and the text that ran.
  draft_revision TEXT NOT NULL,
  text_sha256 TEXT NOT NULL,
  alias TEXT NOT NULL,
  alias_generation INTEGER NOT NULL,
  platform_session_id TEXT NOT NULL UNIQUE,
  -- Null until the platform has taken the run.
  platform_run_id TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX draft_run_by_project ON draft_run (project_id, created_at);
