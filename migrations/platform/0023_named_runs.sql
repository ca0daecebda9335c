-- Runs without a workflow name are not looked for by one: they need no place in its index.
DROP INDEX run_list_by_name;
CREATE INDEX run_list_by_name ON run_list (
  workflow_name, updated_at DESC, seq, status, workflow_kind, has_error, created_at, agent_name,
  session_id, current_step_index, current_step_id, current_node_id, continuation_id,
  trace_event_count, trace_dropped, duration_ms, input_tokens, output_tokens, total_tokens,
  deadline_at, started_at, completed_at, run_id
) WHERE workflow_name IS NOT NULL;
