-- What `q` looks in stands in run_search.
ALTER TABLE runs DROP COLUMN search_text;
