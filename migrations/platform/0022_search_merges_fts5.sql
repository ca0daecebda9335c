-- Segments of the full-text indexes are merged in small steps of their own, not by whichever insert
-- fills one up: that insert would hold its thread up.
INSERT INTO run_search_long (run_search_long, rank) VALUES ('automerge', 0);
INSERT INTO run_search_long (run_search_long, rank) VALUES ('crisismerge', 64);
INSERT INTO run_search_short (run_search_short, rank) VALUES ('automerge', 0);
INSERT INTO run_search_short (run_search_short, rank) VALUES ('crisismerge', 64);
