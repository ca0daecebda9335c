-- One index for status and kind, alone or together: each pair of them is a part of the list in its
-- own order, and lists of several parts are merged.
DROP INDEX run_list_by_status;
DROP INDEX run_list_by_kind;
CREATE INDEX run_list_parts ON run_list (
  workflow_kind, status, updated_at DESC, seq, workflow_name, has_error, created_at, agent_name,
  session_id, current_step_index, current_step_id, current_node_id, continuation_id,
  trace_event_count, trace_dropped, duration_ms, input_tokens, output_tokens, total_tokens,
  deadline_at, started_at, completed_at, run_id
);

-- Runs that changed in later ten minutes of the clock than they were created in. Only they, and those
-- of the same ten minutes, can be older than a moment and have changed after it.
CREATE INDEX run_list_lasting ON run_list (
  updated_at DESC, created_at, seq, status, workflow_kind, workflow_name, has_error
) WHERE substr(updated_at, 1, 15) > substr(created_at, 1, 15);

-- Lists by creation are read from run_list.
DROP INDEX runs_by_created;
