-- Bytes of drafts that are kept beside the project's folder, packed, each text of a project once.
CREATE TABLE kept_text (
  project_id TEXT COLLATE "C" NOT NULL REFERENCES project (id),
  revision TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  packed BYTEA NOT NULL,
  PRIMARY KEY (project_id, revision)
);

-- Drafts that were deleted; they can be put back for 30 days.
CREATE TABLE trash_entry (
  id TEXT COLLATE "C" PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES project (id),
  ref TEXT COLLATE "C" NOT NULL,
  revision TEXT COLLATE "C" NOT NULL,
  mode BIGINT NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  capabilities TEXT COLLATE "C" NOT NULL,
  origin TEXT COLLATE "C" NOT NULL,
  deleted_at TEXT COLLATE "C" NOT NULL,
  deleted_by TEXT COLLATE "C" NOT NULL REFERENCES principal (id)
);
CREATE INDEX trash_by_project ON trash_entry (project_id, deleted_at);
