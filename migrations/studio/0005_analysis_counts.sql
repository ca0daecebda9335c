-- Every import counts the analyses of its project, live and kept; without an index that holds what is
-- counted each one is looked up in its row, which lies among sealed records.
CREATE INDEX analysis_by_project ON analysis (project_id, superseded_by);
