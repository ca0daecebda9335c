-- What operators keep ---------------------------------------------------------------------------
CREATE TABLE annotations (
  id TEXT COLLATE "C" PRIMARY KEY,
  run_id TEXT COLLATE "C" NOT NULL,
  body TEXT COLLATE "C" NOT NULL,
  tags TEXT COLLATE "C" NOT NULL,
  created_by TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL
);
CREATE INDEX annotations_by_run ON annotations (run_id, created_at);

CREATE TABLE saved_filters (
  id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  filters TEXT COLLATE "C" NOT NULL,
  created_by TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL
);
CREATE INDEX saved_filters_by_name ON saved_filters (name);

-- What happened here ----------------------------------------------------------------------------
CREATE TABLE launches (
  id TEXT COLLATE "C" PRIMARY KEY,
  environment TEXT COLLATE "C",
  mode TEXT COLLATE "C" NOT NULL CHECK (mode IN ('path', 'inline')),
  spec_path TEXT COLLATE "C",
  digest TEXT COLLATE "C",
  label TEXT COLLATE "C" NOT NULL,
  run_id TEXT COLLATE "C",
  created_by TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL
);
CREATE INDEX launches_by_time ON launches (created_at);

CREATE TABLE audit_log (
  id TEXT COLLATE "C" PRIMARY KEY,
  operator TEXT COLLATE "C" NOT NULL,
  action TEXT COLLATE "C" NOT NULL,
  environment TEXT COLLATE "C",
  target TEXT COLLATE "C",
  outcome TEXT COLLATE "C" NOT NULL CHECK (outcome IN ('ok', 'error', 'denied')),
  created_at TEXT COLLATE "C" NOT NULL
);
CREATE INDEX audit_log_by_time ON audit_log (created_at);

-- Who is signed in, and how this dashboard is set up -----------------------------------------------
CREATE TABLE sessions (
  id TEXT COLLATE "C" PRIMARY KEY,
  operator_identity TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  expires_at TEXT COLLATE "C" NOT NULL,
  last_seen_at TEXT COLLATE "C" NOT NULL,
  map_version BIGINT NOT NULL
);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE config (
  namespace TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  created_by TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  PRIMARY KEY (namespace, key)
);

-- One row while the dashboard is locked down after a restore.
CREATE TABLE recovery (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  entered_at TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL
);
