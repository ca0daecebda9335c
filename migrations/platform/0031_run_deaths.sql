-- Runs that were computed when their service died: how often at the same place, and at which one.
CREATE TABLE run_deaths (
  run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  deaths INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  died_at TEXT NOT NULL
) STRICT;
