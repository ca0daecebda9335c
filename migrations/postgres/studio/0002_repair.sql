-- Edits that a person made in many drafts at once, so that they are offered again when their sources
-- are imported again. What was filled in is sealed, as the detail of analyses is.
CREATE TABLE repair (
  project_id TEXT COLLATE "C" NOT NULL REFERENCES project (id),
  -- Hash of cause, edit and what was filled in: the same repair in more drafts is one row.
  id TEXT COLLATE "C" NOT NULL,
  cause TEXT COLLATE "C" NOT NULL,
  payload TEXT COLLATE "C" NOT NULL,
  made_at TEXT COLLATE "C" NOT NULL,
  made_by TEXT COLLATE "C" NOT NULL REFERENCES principal (id),
  PRIMARY KEY (project_id, id)
);
