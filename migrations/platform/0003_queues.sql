-- Named queues, priorities, and what limits how many entries execute at once.

ALTER TABLE run_queue ADD COLUMN queue TEXT NOT NULL DEFAULT 'default';
-- Entries of a queue go in this order: the time of arrival in epoch seconds, earlier by what the
-- entry's priority is worth.
ALTER TABLE run_queue ADD COLUMN rank REAL NOT NULL DEFAULT 0;
ALTER TABLE run_queue ADD COLUMN workflow TEXT;
-- Name of the key that asked for the run.
ALTER TABLE run_queue ADD COLUMN caller TEXT;
ALTER TABLE run_queue ADD COLUMN concurrency_key TEXT;

UPDATE run_queue SET rank = available_at;

-- Holds all that a claim looks at, so that it passes entries over without reading their rows.
CREATE INDEX run_queue_waiting ON run_queue (
  queue, rank, created_at, available_at, workflow, caller, concurrency_key
) WHERE status = 'queued';

-- When each queue was served last: a number that grows with each turn.
CREATE TABLE queue_turns (
  queue TEXT PRIMARY KEY,
  turn INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
