-- What an imported source says of the workflows around it, and the causes of its gaps: the part of an
-- analysis that the map of a project reads for every draft. An analysis made before this table has no
-- row; its causes are read from its detail.
CREATE TABLE analysis_estate (
  analysis_id TEXT COLLATE "C" PRIMARY KEY REFERENCES analysis (id),
  payload TEXT COLLATE "C" NOT NULL
);
