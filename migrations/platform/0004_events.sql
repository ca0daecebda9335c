-- Events that others are told of by signed requests.

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  -- Types of events, as a JSON list.
  events TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  -- Why the platform switched it off itself.
  disabled_because TEXT,
  -- Sealed under the key of this platform's events.
  secret TEXT NOT NULL,
  -- The one before, which signs too until that time in epoch seconds.
  previous_secret TEXT,
  previous_until REAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- Written in the transaction of what an event tells of. `payload` is the body that is sent.
CREATE TABLE outgoing_events (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  run_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE INDEX outgoing_events_by_created ON outgoing_events (created_at);

-- One event for one receiver. Times are epoch seconds of the database's clock.
CREATE TABLE event_deliveries (
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL REFERENCES outgoing_events (id) ON DELETE CASCADE,
  -- waiting, delivered or dead
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at REAL NOT NULL,
  last_error TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (webhook_id, event_id)
) STRICT;

CREATE INDEX event_deliveries_by_due ON event_deliveries (status, due_at);
CREATE INDEX event_deliveries_by_event ON event_deliveries (event_id);
