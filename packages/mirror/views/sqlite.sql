-- @generated from the schemas of the events by `npm run generate -- views`. Do not edit.
-- The views of the mirror: see the guide "Keep a mirror". Run it after 001-mirror.sql, and again after each update of the package.
BEGIN;

DROP VIEW IF EXISTS fieldmesh_subscribers;
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

DROP VIEW IF EXISTS fieldmesh_sims;
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
  state ->> '$.scam_block_enabled' AS scam_block_enabled,
  state ->> '$.video_quality' AS video_quality,
  state ->> '$.wps' AS wps,
  state ->> '$.previous_video_quality' AS previous_video_quality,
  state ->> '$.video_stepped_down' AS video_stepped_down,
  state ->> '$.boost_mb_removed' AS boost_mb_removed,
  state ->> '$.profile_expires_at' AS profile_expires_at,
  event_id, event_type, created_at, ambiguous, deleted_at,
  placement ->> '$.user_id' AS user_id,
  placement ->> '$.mirrored_subscription_id' AS mirrored_subscription_id,
  placement ->> '$.mirrored_subscription_status' AS mirrored_subscription_status
FROM fieldmesh_mirror WHERE family = 'sim';

DROP VIEW IF EXISTS fieldmesh_subscriptions;
CREATE VIEW fieldmesh_subscriptions AS SELECT
  tenant, livemode, id,
  state ->> '$.status' AS status,
  state ->> '$.reason' AS reason,
  state ->> '$.departs_at' AS departs_at,
  state ->> '$.subscription_renewal' AS subscription_renewal,
  event_id, event_type, created_at, ambiguous, deleted_at
FROM fieldmesh_mirror WHERE family = 'subscription';

COMMIT;
