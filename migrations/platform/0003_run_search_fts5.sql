-- Where `q` looks: the redacted, lower-cased input and outcome of each run, and two full-text indexes
-- over them. A run stands in the indexes while `indexed` is 1; the others are looked through.

CREATE TABLE run_search (
  seq INTEGER PRIMARY KEY REFERENCES run_list (seq) ON DELETE CASCADE,
  indexed INTEGER NOT NULL DEFAULT 0,
  input TEXT NOT NULL,
  outcome TEXT NOT NULL
) STRICT;

CREATE INDEX run_search_waiting ON run_search (seq) WHERE indexed = 0;

-- Every three characters in a row, with their positions: a phrase of them is a substring.
CREATE VIRTUAL TABLE run_search_long USING fts5 (
  input, outcome,
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);

-- Every one and every two characters in a row, spelled as code points.
CREATE VIRTUAL TABLE run_search_short USING fts5 (
  grams,
  content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);

CREATE TRIGGER run_search_changed
AFTER UPDATE OF indexed ON run_search WHEN OLD.indexed = 1 AND NEW.indexed = 0 BEGIN
  DELETE FROM run_search_long WHERE rowid = OLD.seq;
  DELETE FROM run_search_short WHERE rowid = OLD.seq;
END;

CREATE TRIGGER run_search_removed AFTER DELETE ON run_search WHEN OLD.indexed = 1 BEGIN
  DELETE FROM run_search_long WHERE rowid = OLD.seq;
  DELETE FROM run_search_short WHERE rowid = OLD.seq;
END;
