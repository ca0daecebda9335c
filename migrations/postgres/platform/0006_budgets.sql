-- What models used in a month, without steps: what budgets are held against at each call of a model.
-- Months are YYYY-MM in UTC; an empty text stands where there is no name.

CREATE TABLE usage_by_month_folded (
  month TEXT COLLATE "C" NOT NULL,
  caller TEXT COLLATE "C" NOT NULL,
  workflow TEXT COLLATE "C" NOT NULL,
  provider TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C" NOT NULL,
  calls BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  cached_input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  reasoning_tokens BIGINT NOT NULL,
  total_tokens BIGINT NOT NULL
);

CREATE INDEX usage_by_month_folded_by_month ON usage_by_month_folded (month);

CREATE VIEW usage_by_month AS
  SELECT * FROM usage_by_month_folded UNION ALL
  SELECT substr(day, 1, 7), caller, workflow, provider, model, calls, input_tokens,
    cached_input_tokens, output_tokens, reasoning_tokens, total_tokens
  FROM usage_changes;
