-- Runs that are over and may still hold secrets that are not masked. A row is written with the end of
-- a run and removed with its masking, so that a kill in between is made up for at the next start.
CREATE TABLE runs_to_mask (
  run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE
) STRICT;

INSERT INTO runs_to_mask (run_id)
SELECT id FROM runs WHERE status IN ('completed', 'failed', 'cancelled', 'expired', 'timed_out');
