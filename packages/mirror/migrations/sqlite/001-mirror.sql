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
  -- All events of the same time, if there are several.
  ties TEXT CHECK (json_valid(ties)),
  -- The subscribers whose erasure clears the personal fields.
  subscribers TEXT CHECK (json_valid(subscribers)),
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

-- A boolean of the JSON is 0 or 1, and a list or an object is its JSON.

CREATE VIEW fieldmesh_subscribers AS SELECT
  tenant, livemode, id,
  personal ->> '$.email' AS email,
  personal ->> '$.phone' AS phone,
  personal ->> '$.date_of_birth' AS date_of_birth,
  state ->> '$.pii_redacted' AS pii_redacted,
  state ->> '$.locked_status' AS locked_status,
  state ->> '$.payment_updates_blocked_until' AS payment_updates_blocked_until,
  personal ->> '$.payment_updates_blocked_reason' AS payment_updates_blocked_reason,
  event_id, event_type, created_at, ambiguous, deleted_at
FROM fieldmesh_mirror WHERE family = 'subscriber';

CREATE VIEW fieldmesh_sims AS SELECT
  tenant, livemode, id,
  state ->> '$.state' AS state,
  state ->> '$.metadata' AS metadata,
  state ->> '$.subscriber_id' AS subscriber_id,
  state ->> '$.holder_subscriber_id' AS holder_subscriber_id,
  state ->> '$.subscription_id' AS subscription_id,
  state ->> '$.subscription_line_id' AS subscription_line_id,
  personal ->> '$.external_subscriber_id' AS external_subscriber_id,
  state ->> '$.subscription_status' AS subscription_status,
  personal ->> '$.msisdn' AS msisdn,
  state ->> '$.boost_mb' AS boost_mb,
  state ->> '$.boost_mb_removed' AS boost_mb_removed,
  state ->> '$.scam_block_enabled' AS scam_block_enabled,
  state ->> '$.video_quality' AS video_quality,
  state ->> '$.previous_video_quality' AS previous_video_quality,
  state ->> '$.video_stepped_down' AS video_stepped_down,
  state ->> '$.wps' AS wps,
  state ->> '$.profile_expires_at' AS profile_expires_at,
  event_id, event_type, created_at, ambiguous, deleted_at
FROM fieldmesh_mirror WHERE family = 'sim';

CREATE VIEW fieldmesh_subscriptions AS SELECT
  tenant, livemode, id,
  state ->> '$.status' AS status,
  state ->> '$.reason' AS reason,
  state ->> '$.departs_at' AS departs_at,
  state ->> '$.subscription_renewal' AS subscription_renewal,
  event_id, event_type, created_at, ambiguous, deleted_at
FROM fieldmesh_mirror WHERE family = 'subscription';
