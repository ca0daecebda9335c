-- Every one, two and three characters in a row of a run's texts, each as a number that stands for it: a
-- text is looked for in the runs that have all of its own.
ALTER TABLE run_search ADD COLUMN grams INTEGER[] NOT NULL DEFAULT '{}';

CREATE INDEX run_search_by_gram ON run_search USING gin (grams) WHERE indexed = 1;
