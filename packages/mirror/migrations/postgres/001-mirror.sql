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
  -- All events of the same time, if there are several.
  ties jsonb,
  -- The subscribers whose erasure clears the personal fields.
  subscribers jsonb,
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

-- A value of another type than expected is NULL, so that one odd event does not break a view.

CREATE VIEW fieldmesh_subscribers AS SELECT
  tenant, livemode, id,
  personal->>'email' AS email,
  personal->>'phone' AS phone,
  personal->>'date_of_birth' AS date_of_birth,
  CASE jsonb_typeof(state->'pii_redacted') WHEN 'boolean' THEN (state->>'pii_redacted')::boolean END AS pii_redacted,
  state->>'locked_status' AS locked_status,
  state->>'payment_updates_blocked_until' AS payment_updates_blocked_until,
  personal->>'payment_updates_blocked_reason' AS payment_updates_blocked_reason,
  event_id, event_type, created_at, ambiguous, deleted_at
FROM fieldmesh_mirror WHERE family = 'subscriber';

CREATE VIEW fieldmesh_sims AS SELECT
  tenant, livemode, id,
  state->>'state' AS state,
  state->'metadata' AS metadata,
  state->>'subscriber_id' AS subscriber_id,
  state->>'holder_subscriber_id' AS holder_subscriber_id,
  state->>'subscription_id' AS subscription_id,
  state->>'subscription_line_id' AS subscription_line_id,
  personal->>'external_subscriber_id' AS external_subscriber_id,
  state->>'subscription_status' AS subscription_status,
  personal->>'msisdn' AS msisdn,
  CASE jsonb_typeof(state->'boost_mb') WHEN 'number' THEN (state->>'boost_mb')::numeric END AS boost_mb,
  CASE jsonb_typeof(state->'boost_mb_removed') WHEN 'number' THEN (state->>'boost_mb_removed')::numeric END AS boost_mb_removed,
  CASE jsonb_typeof(state->'scam_block_enabled') WHEN 'boolean' THEN (state->>'scam_block_enabled')::boolean END AS scam_block_enabled,
  state->>'video_quality' AS video_quality,
  state->>'previous_video_quality' AS previous_video_quality,
  CASE jsonb_typeof(state->'video_stepped_down') WHEN 'boolean' THEN (state->>'video_stepped_down')::boolean END AS video_stepped_down,
  state->'wps' AS wps,
  state->>'profile_expires_at' AS profile_expires_at,
  event_id, event_type, created_at, ambiguous, deleted_at
FROM fieldmesh_mirror WHERE family = 'sim';

CREATE VIEW fieldmesh_subscriptions AS SELECT
  tenant, livemode, id,
  state->>'status' AS status,
  state->>'reason' AS reason,
  state->>'departs_at' AS departs_at,
  state->'subscription_renewal' AS subscription_renewal,
  event_id, event_type, created_at, ambiguous, deleted_at
FROM fieldmesh_mirror WHERE family = 'subscription';
