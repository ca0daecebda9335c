-- What models used, by day, key, workflow, step and model, and by run, step and model.

-- Name of the key that asked for the run.
ALTER TABLE runs ADD COLUMN caller TEXT;

-- Sums that grow in the transaction of the run that used the tokens. Days are YYYY-MM-DD in UTC; an
-- empty text stands where there is no name.
CREATE TABLE usage_by_day (
  day TEXT NOT NULL,
  caller TEXT NOT NULL,
  workflow TEXT NOT NULL,
  step TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  -- Answers of models; 0 for what was used before this table was there.
  calls INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  total_tokens INTEGER NOT NULL,
  PRIMARY KEY (day, caller, workflow, step, provider, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_usage (
  run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  step TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  total_tokens INTEGER NOT NULL,
  PRIMARY KEY (run_id, step, provider, model)
) STRICT, WITHOUT ROWID;

-- What earlier runs told: by day and workflow, since nothing else of it is known.
INSERT INTO usage_by_day
SELECT substr(created_at, 1, 10), '', coalesce(workflow_name, ''), '', '', '', 0,
  sum(coalesce(input_tokens, 0)), 0, sum(coalesce(output_tokens, 0)), 0,
  sum(coalesce(total_tokens, 0))
FROM run_list
WHERE total_tokens > 0
GROUP BY substr(created_at, 1, 10), coalesce(workflow_name, '');
