-- What became of every part of an imported source. Apart from the analysis, whose detail is read for
-- each page about its gaps; an analysis made before this table has no row, and a ledger that is too
-- large to be kept has one without a payload.
CREATE TABLE analysis_ledger (
  analysis_id TEXT COLLATE "C" PRIMARY KEY REFERENCES analysis (id),
  payload TEXT COLLATE "C"
);
