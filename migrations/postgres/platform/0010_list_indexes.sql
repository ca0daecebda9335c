-- compatible: yes
-- Deliveries of a status, such as dead letters, newest first.
CREATE INDEX event_deliveries_newest ON event_deliveries (status, created_at DESC, event_id);

-- Runs that changed in later ten minutes of the clock than they were created in. Only they, and those
-- of the same ten minutes, can be older than a moment and have changed after it.
CREATE INDEX run_list_lasting ON run_list (updated_at DESC, seq, created_at)
  WHERE left(updated_at, 15) > left(created_at, 15);
-- Runs that a node changed whose clock is behind.
CREATE INDEX run_list_backdated ON run_list (updated_at DESC, seq) WHERE updated_at < created_at;
