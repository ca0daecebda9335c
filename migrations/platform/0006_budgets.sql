-- What models used in a month, without steps: what budgets are held against at each call of a model.
-- Months are YYYY-MM in UTC; an empty text stands where there is no name.

CREATE TABLE usage_by_month (
  month TEXT NOT NULL,
  caller TEXT NOT NULL,
  workflow TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  cached_input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  total_tokens INTEGER NOT NULL,
  PRIMARY KEY (month, caller, workflow, provider, model)
) STRICT, WITHOUT ROWID;

INSERT INTO usage_by_month
SELECT substr(day, 1, 7), caller, workflow, provider, model, sum(calls), sum(input_tokens),
  sum(cached_input_tokens), sum(output_tokens), sum(reasoning_tokens), sum(total_tokens)
FROM usage_by_day
GROUP BY substr(day, 1, 7), caller, workflow, provider, model;
