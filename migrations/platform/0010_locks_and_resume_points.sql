-- Locks that services on one store share, and the services that are alive (`process:<owner>`, the
-- owner column holds the process id). Times are epoch seconds of the database's clock.
CREATE TABLE locks (
  name TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  expires_at REAL NOT NULL,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- Places from which a run can be run again; unredacted. `change` is the difference to the point before.
CREATE TABLE resume_points (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  change TEXT NOT NULL,
  PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

-- The resume point of a checkpoint; null for one that was written before there were any.
ALTER TABLE checkpoints ADD COLUMN point INTEGER;

-- Runs that somebody executes: few, and looked for at each start and sweep.
CREATE INDEX runs_held ON runs (status) WHERE execution_token IS NOT NULL;
