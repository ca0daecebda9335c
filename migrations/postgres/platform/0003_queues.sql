-- Named queues, priorities, and what limits how many entries execute at once.

ALTER TABLE run_queue ADD COLUMN queue TEXT COLLATE "C" NOT NULL DEFAULT 'default';
-- Entries of a queue go in this order: the time of arrival in epoch seconds, earlier by what the
-- entry's priority is worth.
ALTER TABLE run_queue ADD COLUMN rank DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE run_queue ADD COLUMN workflow TEXT COLLATE "C";
-- Name of the key that asked for the run.
ALTER TABLE run_queue ADD COLUMN caller TEXT COLLATE "C";
ALTER TABLE run_queue ADD COLUMN concurrency_key TEXT COLLATE "C";

UPDATE run_queue SET rank = available_at;

CREATE INDEX run_queue_waiting ON run_queue (queue, rank, created_at, rowid)
  WHERE status = 'queued';

-- When each queue was served last: a number that grows with each turn.
CREATE TABLE queue_turns (
  queue TEXT COLLATE "C" PRIMARY KEY,
  turn BIGINT NOT NULL
);
