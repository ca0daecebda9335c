-- Every save of a draft, by the order in which they happened; the bytes are in kept_text.
CREATE TABLE draft_version (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL REFERENCES project (id),
  ref TEXT NOT NULL,
  revision TEXT NOT NULL,
  -- 'found': bytes that somebody else wrote, met before they were saved over.
  cause TEXT NOT NULL CHECK (cause IN ('found', 'save', 'merge', 'restore')),
  saved_at TEXT NOT NULL,
  -- As they are stored, packed.
  bytes INTEGER NOT NULL,
  saved_by TEXT REFERENCES principal (id),
  name TEXT
) STRICT;
CREATE INDEX draft_version_by_ref ON draft_version (project_id, ref, id);
CREATE INDEX draft_version_by_text ON draft_version (project_id, revision);
