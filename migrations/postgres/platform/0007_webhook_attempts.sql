-- How the last attempts at each receiver ended.

ALTER TABLE webhooks ADD COLUMN last_success_at TEXT COLLATE "C";
ALTER TABLE webhooks ADD COLUMN last_failure_at TEXT COLLATE "C";
-- What the last failure said; it stays after a success.
ALTER TABLE webhooks ADD COLUMN last_failure TEXT COLLATE "C";
