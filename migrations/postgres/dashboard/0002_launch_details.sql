-- What a launch was made from and with, as one JSON object; null where there is nothing to tell.
ALTER TABLE launches ADD COLUMN details TEXT COLLATE "C";
ALTER TABLE audit_log ADD COLUMN details TEXT COLLATE "C";
-- The operators' audit of one run.
CREATE INDEX audit_log_by_target ON audit_log USING hash (target);
