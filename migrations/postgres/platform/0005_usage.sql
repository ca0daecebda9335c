-- What models used, by day, key, workflow, step and model, and by run, step and model.

-- Name of the key that asked for the run.
ALTER TABLE runs ADD COLUMN caller TEXT COLLATE "C";

-- Days are YYYY-MM-DD in UTC; an empty text stands where there is no name.
CREATE TABLE usage_by_day_folded (
  day TEXT COLLATE "C" NOT NULL,
  caller TEXT COLLATE "C" NOT NULL,
  workflow TEXT COLLATE "C" NOT NULL,
  step TEXT COLLATE "C" NOT NULL,
  provider TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C" NOT NULL,
  -- Answers of models; 0 for what was used before this table was there.
  calls BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  cached_input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  reasoning_tokens BIGINT NOT NULL,
  total_tokens BIGINT NOT NULL
);

CREATE INDEX usage_by_day_folded_by_day ON usage_by_day_folded (day);

-- What transactions add, so that none waits for another; a sweep folds it into the sums of days, and
-- of months with the next migration.
CREATE TABLE usage_changes (LIKE usage_by_day_folded);

CREATE VIEW usage_by_day AS
  SELECT * FROM usage_by_day_folded UNION ALL SELECT * FROM usage_changes;

CREATE TABLE run_usage_changes (
  run_id TEXT COLLATE "C" NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  step TEXT COLLATE "C" NOT NULL,
  provider TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  cached_input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  reasoning_tokens BIGINT NOT NULL,
  total_tokens BIGINT NOT NULL
);

CREATE INDEX run_usage_changes_by_run ON run_usage_changes (run_id);

CREATE VIEW run_usage AS
  SELECT run_id, step, provider, model, sum(calls) AS calls, sum(input_tokens) AS input_tokens,
    sum(cached_input_tokens) AS cached_input_tokens, sum(output_tokens) AS output_tokens,
    sum(reasoning_tokens) AS reasoning_tokens, sum(total_tokens) AS total_tokens
  FROM run_usage_changes GROUP BY run_id, step, provider, model;
