-- compatible: yes
-- Deliveries of a status, such as dead letters, newest first.
CREATE INDEX event_deliveries_newest ON event_deliveries (status, created_at DESC, event_id);
