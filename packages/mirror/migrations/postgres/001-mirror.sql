-- Version 1 of the mirror: see the guide "Keep a mirror". Apply it once, with your migration tool.

CREATE TABLE fieldmesh_mirror_version (version integer PRIMARY KEY);
INSERT INTO fieldmesh_mirror_version VALUES (1);

-- One row for each object, with its newest state.
CREATE TABLE fieldmesh_mirror (
  tenant text NOT NULL,
  family text NOT NULL,
  id text NOT NULL,
  livemode boolean NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  created_at timestamptz NOT NULL,
  ambiguous boolean NOT NULL,
  deleted_at timestamptz,
  state jsonb NOT NULL,
  -- The personal fields that the option "personal" names, by path.
  personal jsonb,
  -- The previous values that the event carries.
  previous jsonb,
  -- All events that count, if there are several: those of the same time, and those that say where a SIM is.
  ties jsonb,
  -- The subscribers whose erasure clears the personal fields.
  subscribers jsonb,
  -- Who uses a SIM, and to which subscription a mirror points.
  placement jsonb,
  PRIMARY KEY (tenant, family, id, livemode)
);
CREATE INDEX fieldmesh_mirror_subscribers_of ON fieldmesh_mirror
  USING gin (subscribers jsonb_path_ops) WHERE subscribers IS NOT NULL;

-- When a subscriber was erased. Personal fields in events up to then are not stored.
CREATE TABLE fieldmesh_mirror_subscribers (
  tenant text NOT NULL,
  livemode boolean NOT NULL,
  id text NOT NULL,
  redacted_at timestamptz,
  PRIMARY KEY (tenant, livemode, id)
);

-- Events whose date was ahead: the time of their first claim, which counts instead.
CREATE TABLE fieldmesh_mirror_first_claims (
  tenant text NOT NULL,
  event_id text NOT NULL,
  claimed_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, event_id)
);
