-- Version 1 of the mirror: see the guide "Keep a mirror". Apply it once, with your migration tool.

CREATE TABLE fieldmesh_mirror_version (version INTEGER PRIMARY KEY);
INSERT INTO fieldmesh_mirror_version VALUES (1);

-- One row for each object, with its newest state.
CREATE TABLE fieldmesh_mirror (
  tenant TEXT NOT NULL,
  family TEXT NOT NULL,
  id TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  -- ISO 8601 in UTC, with microseconds.
  created_at TEXT NOT NULL,
  ambiguous INTEGER NOT NULL CHECK (ambiguous IN (0, 1)),
  deleted_at TEXT,
  state TEXT NOT NULL CHECK (json_valid(state)),
  -- The personal fields that the option "personal" names, by path.
  personal TEXT CHECK (json_valid(personal)),
  -- The previous values that the event carries.
  previous TEXT CHECK (json_valid(previous)),
  -- All events that count, if there are several: those of the same time, and those that say where a SIM is.
  ties TEXT CHECK (json_valid(ties)),
  -- The subscribers whose erasure clears the personal fields.
  subscribers TEXT CHECK (json_valid(subscribers)),
  -- Who uses a SIM, and to which subscription a mirror points.
  placement TEXT CHECK (json_valid(placement)),
  PRIMARY KEY (tenant, family, id, livemode)
) WITHOUT ROWID;
CREATE INDEX fieldmesh_mirror_subscribers_of ON fieldmesh_mirror (tenant, livemode) WHERE subscribers IS NOT NULL;

-- When a subscriber was erased. Personal fields in events up to then are not stored.
CREATE TABLE fieldmesh_mirror_subscribers (
  tenant TEXT NOT NULL,
  livemode INTEGER NOT NULL,
  id TEXT NOT NULL,
  redacted_at TEXT,
  PRIMARY KEY (tenant, livemode, id)
) WITHOUT ROWID;

-- Events whose date was ahead: the time of their first claim, which counts instead.
CREATE TABLE fieldmesh_mirror_first_claims (
  tenant TEXT NOT NULL,
  event_id TEXT NOT NULL,
  claimed_at TEXT NOT NULL,
  PRIMARY KEY (tenant, event_id)
) WITHOUT ROWID;
