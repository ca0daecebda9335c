-- What an owner confirmed, as a JSON list of refs, so that what is new since then can be told.
-- Null: confirmed before this was remembered.
ALTER TABLE project_exposure ADD COLUMN privileged_entries TEXT COLLATE "C";
-- Rows of everybody, or of one person, newest first.
CREATE INDEX audit_by_principal ON audit (principal_id, id);
