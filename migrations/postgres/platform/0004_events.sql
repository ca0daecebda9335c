-- Events that others are told of by signed requests.

CREATE TABLE webhooks (
  id TEXT COLLATE "C" PRIMARY KEY,
  url TEXT COLLATE "C" NOT NULL,
  description TEXT COLLATE "C" NOT NULL,
  -- Types of events, as a JSON list.
  events TEXT COLLATE "C" NOT NULL,
  enabled BIGINT NOT NULL,
  -- Why the platform switched it off itself.
  disabled_because TEXT COLLATE "C",
  -- Sealed under the key of this platform's events.
  secret TEXT COLLATE "C" NOT NULL,
  -- The one before, which signs too until that time in epoch seconds.
  previous_secret TEXT COLLATE "C",
  previous_until DOUBLE PRECISION,
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL
);

-- Written in the transaction of what an event tells of. `payload` is the body that is sent.
CREATE TABLE outgoing_events (
  id TEXT COLLATE "C" PRIMARY KEY,
  type TEXT COLLATE "C" NOT NULL,
  run_id TEXT COLLATE "C" NOT NULL,
  payload TEXT COLLATE "C" NOT NULL,
  created_at TEXT COLLATE "C" NOT NULL
);

CREATE INDEX outgoing_events_by_created ON outgoing_events (created_at);

-- One event for one receiver. Times are epoch seconds of the database's clock.
CREATE TABLE event_deliveries (
  webhook_id TEXT COLLATE "C" NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event_id TEXT COLLATE "C" NOT NULL REFERENCES outgoing_events (id) ON DELETE CASCADE,
  -- waiting, delivered or dead
  status TEXT COLLATE "C" NOT NULL,
  attempts BIGINT NOT NULL DEFAULT 0,
  due_at DOUBLE PRECISION NOT NULL,
  last_error TEXT COLLATE "C",
  created_at TEXT COLLATE "C" NOT NULL,
  updated_at TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (webhook_id, event_id)
);

CREATE INDEX event_deliveries_by_due ON event_deliveries (status, due_at);
CREATE INDEX event_deliveries_by_event ON event_deliveries (event_id);
