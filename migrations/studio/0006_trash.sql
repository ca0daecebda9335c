-- Bytes of drafts that are kept beside the project's folder, packed, each text of a project once.
CREATE TABLE kept_text (
  project_id TEXT NOT NULL REFERENCES project (id),
  revision TEXT NOT NULL,
  size INTEGER NOT NULL,
  packed BLOB NOT NULL,
  PRIMARY KEY (project_id, revision)
) STRICT;

-- Drafts that were deleted; they can be put back for 30 days.
CREATE TABLE trash_entry (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project (id),
  ref TEXT NOT NULL,
  revision TEXT NOT NULL,
  mode INTEGER NOT NULL,
  kind TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  origin TEXT NOT NULL,
  deleted_at TEXT NOT NULL,
  deleted_by TEXT NOT NULL REFERENCES principal (id)
) STRICT;
CREATE INDEX trash_by_project ON trash_entry (project_id, deleted_at);
