-- The functions that runs were created with: one signed archive for each content, named by its hash.

CREATE TABLE code_bundles (
  sha256 TEXT COLLATE "C" PRIMARY KEY,
  content BYTEA NOT NULL,
  -- Epoch seconds by the database's clock: when a run was last about to name it.
  used_at DOUBLE PRECISION NOT NULL
);

-- Null: no function of a project was found when the run was created.
ALTER TABLE runs ADD COLUMN code_bundle TEXT COLLATE "C" REFERENCES code_bundles (sha256);
CREATE INDEX runs_by_code_bundle ON runs (code_bundle) WHERE code_bundle IS NOT NULL;
