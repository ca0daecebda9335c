-- Sign-in of people: only hashes of what a browser presents are kept.
CREATE TABLE session (
  token_hash TEXT PRIMARY KEY,
  principal_id TEXT NOT NULL REFERENCES principal (id),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_by_principal ON session (principal_id);
CREATE INDEX session_by_end ON session (expires_at);

-- A token that lets one sign-in take the studio over from the local owner; argon2id.
CREATE TABLE bootstrap_claim (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
) STRICT, WITHOUT ROWID;

-- People who are at their identity provider now.
CREATE TABLE oidc_attempt (
  state_hash TEXT PRIMARY KEY,
  binding_hash TEXT NOT NULL,
  state TEXT NOT NULL,
  nonce TEXT NOT NULL,
  verifier TEXT NOT NULL,
  return_to TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oidc_attempt_by_end ON oidc_attempt (expires_at);
