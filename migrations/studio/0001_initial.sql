-- People and what they may open -----------------------------------------------------------------
CREATE TABLE principal (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('local_owner', 'static', 'oidc', 'operator')),
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  display_name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'disabled')),
  created_at TEXT NOT NULL,
  UNIQUE (issuer, subject)
) STRICT;

CREATE TABLE project (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  root TEXT NOT NULL UNIQUE,
  storage_kind TEXT NOT NULL CHECK (storage_kind IN ('managed', 'attached')),
  quota_principal_id TEXT NOT NULL REFERENCES principal (id),
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX project_by_charge ON project (quota_principal_id);

CREATE TABLE project_member (
  project_id TEXT NOT NULL REFERENCES project (id),
  principal_id TEXT NOT NULL REFERENCES principal (id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  created_at TEXT NOT NULL,
  PRIMARY KEY (project_id, principal_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX project_member_by_principal ON project_member (principal_id);

CREATE TABLE invitation (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project (id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  selector_kind TEXT NOT NULL CHECK (selector_kind IN
    ('subject', 'verified_email', 'static_username')),
  selector_value TEXT NOT NULL,
  issuer TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'consumed', 'revoked', 'expired')),
  held_reason TEXT,
  created_by TEXT NOT NULL REFERENCES principal (id),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX invitation_by_project ON invitation (project_id, state, created_at);
CREATE INDEX invitation_by_creator ON invitation (created_by, created_at);

CREATE TABLE quota_transfer (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project (id),
  from_principal TEXT NOT NULL REFERENCES principal (id),
  to_principal TEXT NOT NULL REFERENCES principal (id),
  state TEXT NOT NULL CHECK (state IN ('proposed', 'accepted', 'declined', 'expired')),
  proposed_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX quota_transfer_open ON quota_transfer (project_id) WHERE state = 'proposed';

CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  action TEXT NOT NULL,
  principal_id TEXT NOT NULL,
  project_id TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN ('allowed', 'denied', 'held')),
  run_id TEXT,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_project ON audit (project_id, id);

-- Bindings to platforms --------------------------------------------------------------------------
CREATE TABLE project_environment (
  project_id TEXT NOT NULL REFERENCES project (id),
  alias TEXT NOT NULL,
  generation INTEGER NOT NULL,
  profile_name TEXT NOT NULL,
  platform_environment TEXT NOT NULL,
  transport TEXT NOT NULL CHECK (transport IN ('remote', 'shared_filesystem')),
  serv_root TEXT,
  registry_snapshot TEXT NOT NULL,
  capability_policy TEXT NOT NULL CHECK (capability_policy IN ('strict', 'local')),
  secret_ref_namespace TEXT,
  host_allowlist TEXT NOT NULL,
  platform_egress TEXT NOT NULL CHECK (platform_egress IN ('unenforced', 'enforced')),
  max_inline_spec_bytes INTEGER NOT NULL,
  endpoint_fingerprint TEXT,
  retired_at TEXT,
  created_at TEXT NOT NULL,
  -- Who chose the binding: the template follows the trust of the installation, a person's choice stays.
  made_by TEXT NOT NULL DEFAULT 'template' CHECK (made_by IN ('template', 'person')),
  PRIMARY KEY (project_id, alias, generation)
) STRICT, WITHOUT ROWID;

-- The tree and its drafts ------------------------------------------------------------------------
CREATE TABLE project_exposure (
  project_id TEXT PRIMARY KEY REFERENCES project (id),
  root_identity TEXT NOT NULL,
  exposure_digest TEXT NOT NULL,
  principal_id TEXT NOT NULL,
  confirmed_at TEXT NOT NULL
) STRICT;

CREATE TABLE draft_manifest (
  project_id TEXT NOT NULL REFERENCES project (id),
  ref TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('spec', 'overlay', 'skill_source')),
  capabilities TEXT NOT NULL CHECK (capabilities IN ('read', 'read_write')),
  origin TEXT NOT NULL CHECK (origin IN ('authored', 'import')),
  registered_at TEXT NOT NULL,
  registered_by TEXT NOT NULL,
  last_known_revision TEXT,
  PRIMARY KEY (project_id, ref)
) STRICT, WITHOUT ROWID;

CREATE TABLE not_applicable_assertion (
  project_id TEXT NOT NULL REFERENCES project (id),
  ref TEXT NOT NULL,
  revision TEXT NOT NULL,
  principal_id TEXT NOT NULL,
  asserted_at TEXT NOT NULL,
  PRIMARY KEY (project_id, ref, revision)
) STRICT, WITHOUT ROWID;

-- Imports and what they found --------------------------------------------------------------------
-- A file that is being written or removed: at start, one that no draft names is taken away.
CREATE TABLE tree_operation (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project (id),
  ref TEXT NOT NULL,
  content_sha256 TEXT NOT NULL,
  started_at TEXT NOT NULL
) STRICT;

CREATE TABLE import_key (
  project_id TEXT NOT NULL REFERENCES project (id),
  key TEXT NOT NULL,
  request_digest TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (project_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_key_by_age ON import_key (created_at);

CREATE TABLE analysis (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project (id),
  source TEXT NOT NULL,
  source_sha256 TEXT NOT NULL,
  importer TEXT NOT NULL,
  importer_version TEXT NOT NULL,
  analyzer_version TEXT NOT NULL,
  output_sha256 TEXT NOT NULL,
  repair_generation INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'quarantined')),
  superseded_by TEXT REFERENCES analysis (id),
  blocking_gap_ids TEXT NOT NULL,
  manual_gap_ids TEXT NOT NULL,
  payload TEXT,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  UNIQUE (project_id, source_sha256, importer, importer_version, analyzer_version, output_sha256,
    repair_generation)
) STRICT;
CREATE INDEX analysis_by_output ON analysis (project_id, output_sha256);
-- Every import counts the analyses of its project, live and kept; without an index that holds what is
-- counted each one is looked up in its row, which lies among sealed records.
CREATE INDEX analysis_by_project ON analysis (project_id, superseded_by);

-- How many analyses a project may hold, where an operator chose other numbers than the usual ones.
CREATE TABLE analysis_cap (
  project_id TEXT PRIMARY KEY REFERENCES project (id),
  project_cap INTEGER NOT NULL CHECK (project_cap > 0),
  principal_cap INTEGER NOT NULL CHECK (principal_cap > 0),
  retained_max INTEGER NOT NULL CHECK (retained_max > 0)
) STRICT;

CREATE TABLE manifest_analysis (
  project_id TEXT NOT NULL REFERENCES project (id),
  ref TEXT NOT NULL,
  analysis_id TEXT NOT NULL REFERENCES analysis (id),
  linked_at TEXT NOT NULL,
  PRIMARY KEY (project_id, ref, analysis_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX manifest_analysis_by_analysis ON manifest_analysis (analysis_id);

CREATE TABLE gap_resolution (
  analysis_id TEXT NOT NULL REFERENCES analysis (id),
  gap_id TEXT NOT NULL,
  revision TEXT NOT NULL,
  seq INTEGER NOT NULL,
  event TEXT NOT NULL CHECK (event IN ('attest', 'retract')),
  principal_id TEXT NOT NULL REFERENCES principal (id),
  at TEXT NOT NULL,
  PRIMARY KEY (analysis_id, gap_id, revision, seq)
) STRICT, WITHOUT ROWID;

-- Artifacts --------------------------------------------------------------------------------------
CREATE TABLE snapshot (
  project_id TEXT NOT NULL REFERENCES project (id),
  content_hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('materializing', 'published', 'orphaned')),
  components TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (project_id, content_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE authored_artifact (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project (id),
  alias TEXT NOT NULL,
  alias_generation INTEGER NOT NULL,
  overrides_sha256 TEXT NOT NULL,
  revision TEXT NOT NULL,
  snapshot_hash TEXT NOT NULL,
  source_analysis_state TEXT NOT NULL CHECK (source_analysis_state IN
    ('unknown', 'not_applicable', 'clear', 'blocked', 'stale', 'attested')),
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  deleted_at TEXT
) STRICT;
CREATE INDEX authored_artifact_by_project ON authored_artifact (project_id, created_at);
CREATE INDEX authored_artifact_by_snapshot ON authored_artifact (project_id, snapshot_hash);

CREATE TABLE artifact_component (
  artifact_id TEXT NOT NULL REFERENCES authored_artifact (id),
  position INTEGER NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('base', 'overlay')),
  ref TEXT NOT NULL,
  revision TEXT NOT NULL,
  PRIMARY KEY (artifact_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE artifact_component_analysis (
  artifact_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  analysis_id TEXT NOT NULL REFERENCES analysis (id),
  PRIMARY KEY (artifact_id, position, analysis_id),
  FOREIGN KEY (artifact_id, position) REFERENCES artifact_component (artifact_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX artifact_component_analysis_by_analysis ON artifact_component_analysis (analysis_id);

-- The attested pairs that an artifact relies on.
CREATE TABLE artifact_attestation (
  artifact_id TEXT NOT NULL REFERENCES authored_artifact (id),
  analysis_id TEXT NOT NULL REFERENCES analysis (id),
  gap_id TEXT NOT NULL,
  revision TEXT NOT NULL,
  PRIMARY KEY (artifact_id, analysis_id, gap_id, revision)
) STRICT, WITHOUT ROWID;
CREATE INDEX artifact_attestation_by_gap ON artifact_attestation (analysis_id, gap_id, revision);

-- Blocking gaps that were not attested when the artifact was made, or were retracted since.
CREATE TABLE artifact_unresolved_gap (
  artifact_id TEXT NOT NULL REFERENCES authored_artifact (id),
  analysis_id TEXT NOT NULL REFERENCES analysis (id),
  gap_id TEXT NOT NULL,
  PRIMARY KEY (artifact_id, analysis_id, gap_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE gap_acknowledgement (
  artifact_id TEXT NOT NULL REFERENCES authored_artifact (id),
  analysis_id TEXT NOT NULL REFERENCES analysis (id),
  gap_id TEXT NOT NULL,
  principal_id TEXT NOT NULL REFERENCES principal (id),
  at TEXT NOT NULL,
  PRIMARY KEY (artifact_id, analysis_id, gap_id)
) STRICT, WITHOUT ROWID;

-- Test runs --------------------------------------------------------------------------------------
CREATE TABLE test_run (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project (id),
  artifact_id TEXT NOT NULL REFERENCES authored_artifact (id),
  status TEXT NOT NULL CHECK (status IN
    ('pending', 'started', 'failed_to_start', 'abandoned', 'unknown')),
  phase TEXT NOT NULL CHECK (phase IN ('pre_connect', 'sent', 'done')),
  alias TEXT NOT NULL,
  alias_generation INTEGER NOT NULL,
  profile_name TEXT NOT NULL,
  platform_environment TEXT NOT NULL,
  platform_session_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  request_sha256 TEXT NOT NULL,
  platform_run_id TEXT,
  cancel_requested_at TEXT,
  recovery_attempts INTEGER NOT NULL,
  lease_until TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX test_run_by_project ON test_run (project_id, created_at);
CREATE INDEX test_run_by_artifact ON test_run (artifact_id, created_at);
CREATE INDEX test_run_pending ON test_run (updated_at) WHERE status = 'pending';

-- Runs of a draft as it stood in the editor, without an artifact: the way back from the run.
CREATE TABLE draft_run (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES project (id),
  draft_ref TEXT NOT NULL,
  -- The saved revision that the text grew from, and the text that ran.
  draft_revision TEXT NOT NULL,
  text_sha256 TEXT NOT NULL,
  alias TEXT NOT NULL,
  alias_generation INTEGER NOT NULL,
  platform_session_id TEXT NOT NULL UNIQUE,
  -- Null until the platform has taken the run.
  platform_run_id TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX draft_run_by_project ON draft_run (project_id, created_at);
