-- The list of human tasks: the redacted item is written once, and the order of the list is an index.

-- Redacted item of the list without its trace; none = made at the next read.
ALTER TABLE continuations ADD COLUMN shown TEXT;

CREATE INDEX continuations_newest ON continuations (
  created_at DESC, id, status, workflow_kind, run_id, expires_at, request_id
);
