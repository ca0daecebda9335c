-- Sign-in of people: only hashes of what a browser presents are kept.
CREATE TABLE session (
  token_hash TEXT COLLATE "C" PRIMARY KEY,
  principal_id TEXT COLLATE "C" NOT NULL REFERENCES principal (id),
  created_at TEXT COLLATE "C" NOT NULL,
  expires_at TEXT COLLATE "C" NOT NULL
);
CREATE INDEX session_by_principal ON session (principal_id);
CREATE INDEX session_by_end ON session (expires_at);

-- A token that lets one sign-in take the studio over from the local owner; argon2id.
CREATE TABLE bootstrap_claim (
  id TEXT COLLATE "C" PRIMARY KEY,
  token_hash TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL,
  expires_at TEXT COLLATE "C" NOT NULL,
  used_at TEXT COLLATE "C"
);

-- People who are at their identity provider now.
CREATE TABLE oidc_attempt (
  state_hash TEXT COLLATE "C" PRIMARY KEY,
  binding_hash TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  nonce TEXT COLLATE "C" NOT NULL,
  verifier TEXT COLLATE "C" NOT NULL,
  return_to TEXT COLLATE "C" NOT NULL,
  expires_at TEXT COLLATE "C" NOT NULL
);
CREATE INDEX oidc_attempt_by_end ON oidc_attempt (expires_at);
