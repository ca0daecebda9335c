-- How many analyses a project may hold, where an operator chose other numbers than the usual ones.
CREATE TABLE analysis_cap (
  project_id TEXT PRIMARY KEY REFERENCES project (id),
  project_cap INTEGER NOT NULL CHECK (project_cap > 0),
  principal_cap INTEGER NOT NULL CHECK (principal_cap > 0),
  retained_max INTEGER NOT NULL CHECK (retained_max > 0)
) STRICT;
