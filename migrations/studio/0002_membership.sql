-- Invitations and transfers of the storage charge.
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
