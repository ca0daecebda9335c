-- What operators keep ---------------------------------------------------------------------------
CREATE TABLE annotations (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  body TEXT NOT NULL,
  tags TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX annotations_by_run ON annotations (run_id, created_at);

CREATE TABLE saved_filters (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  filters TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL
) STRICT;
CREATE INDEX saved_filters_by_name ON saved_filters (name);

-- What happened here ----------------------------------------------------------------------------
CREATE TABLE launches (
  id TEXT PRIMARY KEY,
  environment TEXT,
  mode TEXT NOT NULL CHECK (mode IN ('path', 'inline')),
  spec_path TEXT,
  digest TEXT,
  label TEXT NOT NULL,
  run_id TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX launches_by_time ON launches (created_at);

CREATE TABLE audit_log (
  id TEXT PRIMARY KEY,
  operator TEXT NOT NULL,
  action TEXT NOT NULL,
  environment TEXT,
  target TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'error', 'denied')),
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX audit_log_by_time ON audit_log (created_at);

-- Who is signed in, and how this dashboard is set up -----------------------------------------------
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  operator_identity TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  map_version INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE config (
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (namespace, key)
) STRICT, WITHOUT ROWID;

-- One row while the dashboard is locked down after a restore.
CREATE TABLE recovery (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  entered_at TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
