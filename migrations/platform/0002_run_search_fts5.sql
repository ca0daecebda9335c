-- Two full-text indexes over run_search.

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

-- Segments of the full-text indexes are merged in small steps of their own, not by whichever insert
-- fills one up: that insert would hold its thread up.
INSERT INTO run_search_long (run_search_long, rank) VALUES ('automerge', 0);
INSERT INTO run_search_long (run_search_long, rank) VALUES ('crisismerge', 64);
INSERT INTO run_search_short (run_search_short, rank) VALUES ('automerge', 0);
INSERT INTO run_search_short (run_search_short, rank) VALUES ('crisismerge', 64);
