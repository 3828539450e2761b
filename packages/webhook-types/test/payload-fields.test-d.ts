import { expectTypeOf, test } from "vitest";
import type { OpenEnum, Secret } from "@fieldmesh/core";
import {
  fieldOf,
  type EventPattern,
  type EventProblem,
  type EventType,
  type FraudSubject,
  type OpenRecord,
  type WebhookEvent,
} from "../src/index.ts";

// Each field that the spec names, in the event that has it.

type Data<Type extends EventType> = WebhookEvent<Type>["data"];
type Snapshot<Type extends EventType> = Data<Type>["object"];
type Before<Type extends EventType> = Data<Type>["previous_attributes"];
type MaybeText = string | null | undefined;
type MaybeNumber = number | null | undefined;
/** A field that the spec names without a place: its type in the object, and next to it. */
type InEither<Type extends EventType, Name extends string> = Name extends keyof Snapshot<Type>
  ? [Snapshot<Type>[Name], Data<Type>[Name]]
  : never;
type Both<Field> = [Field, Field];
type Status = OpenEnum<
  | "active"
  | "paused"
  | "past_due"
  | "cancelled"
  | "canceled"
  | "terminated"
  | "pending_activation"
  | "draft"
>;
type State = OpenEnum<"provisioned" | "active" | "suspended" | "deactivated">;
type Lock = OpenEnum<"user_initiated_lock" | "unlocked">;

test("the envelope", () => {
  type Envelope<Pattern extends EventPattern> = Omit<WebhookEvent<Pattern>, "type" | "data">;
  expectTypeOf<Envelope<"*">>().toEqualTypeOf<{
    id: string;
    created_at: string;
    livemode: boolean;
    idempotency_key: string;
    readonly drift?: readonly EventProblem[] | undefined;
  }>();
  expectTypeOf<Data<"subscription.created">["imported"]>().toEqualTypeOf<boolean | undefined>();
});

test("subscribers", () => {
  type Subscriber = Snapshot<"subscriber.updated">;
  expectTypeOf<Subscriber["email"]>().toEqualTypeOf<null>();
  expectTypeOf<Subscriber["phone"]>().toEqualTypeOf<null>();
  expectTypeOf<Subscriber["date_of_birth"]>().toEqualTypeOf<null>();
  expectTypeOf<Subscriber["pii_redacted"]>().toEqualTypeOf<true>();
  expectTypeOf<Subscriber["locked_status"]>().toEqualTypeOf<Lock | null | undefined>();
  expectTypeOf<Snapshot<"subscriber.locked">["locked_status"]>().toEqualTypeOf<Lock>();
  expectTypeOf<Snapshot<"subscriber.unlocked">["locked_status"]>().toEqualTypeOf<Lock>();
  type Blocked<Name extends string> = InEither<"subscriber.payment_updates_blocked", Name>;
  expectTypeOf<Blocked<"payment_updates_blocked_until">>().toEqualTypeOf<Both<MaybeText>>();
  expectTypeOf<Blocked<"payment_updates_blocked_reason">>().toEqualTypeOf<Both<MaybeText>>();
  expectTypeOf<Subscriber["payment_updates_blocked_until"]>().toEqualTypeOf<MaybeText>();
  expectTypeOf<Before<"subscriber.updated">["locked_status"]>().toEqualTypeOf<
    Lock | null | undefined
  >();
  expectTypeOf<Before<"subscriber.updated">>().not.toExtend<undefined>();
  expectTypeOf<Data<"subscriber.redacted">["scopes"]>().toBeUnknown();
  expectTypeOf<Data<"subscriber.redacted">["cleared_fields"]>().toBeUnknown();
});

test("subscriptions", () => {
  expectTypeOf<Snapshot<"subscription.updated">["status"]>().toEqualTypeOf<
    Status | null | undefined
  >();
  type Reason = OpenEnum<"requested" | "scheduled" | "port_out"> | null | undefined;
  expectTypeOf<InEither<"subscription.line_removed", "reason">>().toEqualTypeOf<Both<Reason>>();
  expectTypeOf<InEither<"subscription.line.removal_scheduled", "departs_at">>().toEqualTypeOf<
    Both<MaybeText>
  >();
  expectTypeOf<
    Data<"subscription.scheduled_change_failed">["scheduled_change"]["reason"]
  >().toEqualTypeOf<string>();
  expectTypeOf<InEither<"subscription.renewal_upcoming", "subscription_renewal">>().toEqualTypeOf<
    Both<OpenRecord | null | undefined>
  >();
});

test("SIMs", () => {
  type Sim = Snapshot<"sim.synced">;
  expectTypeOf<Sim["state"]>().toEqualTypeOf<State | null | undefined>();
  expectTypeOf<NonNullable<Sim["metadata"]>["carrier_held_until"]>().toEqualTypeOf<MaybeText>();
  expectTypeOf<Sim["subscriber_id"]>().toEqualTypeOf<MaybeText>();
  expectTypeOf<Sim["holder_subscriber_id"]>().toEqualTypeOf<MaybeText>();
  expectTypeOf<Sim["subscription_id"]>().toEqualTypeOf<MaybeText>();
  expectTypeOf<Sim["subscription_line_id"]>().toEqualTypeOf<MaybeText>();
  expectTypeOf<Sim["external_subscriber_id"]>().toEqualTypeOf<MaybeText>();
  expectTypeOf<Sim["subscription_status"]>().toEqualTypeOf<Status | null | undefined>();
  expectTypeOf<Sim["msisdn"]>().toEqualTypeOf<MaybeText>();
  // Three types have an activation code. On the others, the name has no meaning.
  type Code = Secret | null | undefined;
  expectTypeOf<Snapshot<"sim.provisioned">["activation_code"]>().toEqualTypeOf<Code>();
  expectTypeOf<Snapshot<"sim.activated">["activation_code"]>().toEqualTypeOf<Code>();
  expectTypeOf<Snapshot<"sim.swapped">["activation_code"]>().toEqualTypeOf<Code>();
  expectTypeOf<Sim>().not.toHaveProperty("activation_code");
  type Reduced<Name extends string> = InEither<"sim.boost_reduced", Name>;
  expectTypeOf<Reduced<"boost_mb">>().toEqualTypeOf<Both<MaybeNumber>>();
  expectTypeOf<Reduced<"boost_mb_removed">>().toEqualTypeOf<Both<MaybeNumber>>();
  type MaybeFlag = boolean | null | undefined;
  expectTypeOf<InEither<"sim.scam_block_changed", "scam_block_enabled">>().toEqualTypeOf<
    Both<MaybeFlag>
  >();
  type Video<Name extends string> = InEither<"sim.video_quality_changed", Name>;
  type Quality = OpenEnum<"480p"> | null | undefined;
  expectTypeOf<Video<"video_quality">>().toEqualTypeOf<Both<Quality>>();
  expectTypeOf<Video<"previous_video_quality">>().toEqualTypeOf<Both<Quality>>();
  expectTypeOf<Video<"video_stepped_down">>().toEqualTypeOf<Both<MaybeFlag>>();
  expectTypeOf<Snapshot<"sim.wps_changed">["wps"]>().toBeUnknown();
  expectTypeOf<InEither<"sim.esim_profile_downloaded", "profile_expires_at">>().toEqualTypeOf<
    Both<MaybeText>
  >();
});

test("SIMs that are cleared or reassigned", () => {
  expectTypeOf<Data<"sim.cleared">["state"]>().toEqualTypeOf<State | null | undefined>();
  type Cleared = Before<"sim.cleared">;
  expectTypeOf<
    Pick<Cleared, "subscriber_id" | "subscription_id" | "subscription_line_id" | "msisdn">
  >().toEqualTypeOf<{
    subscriber_id: string | null;
    subscription_id: string | null;
    subscription_line_id: string | null;
    msisdn: string | null;
  }>();
  type Reassigned = Snapshot<"sim.reassigned">;
  expectTypeOf<Reassigned["subscriber_id"]>().toEqualTypeOf<string>();
  expectTypeOf<Reassigned["holder_subscriber_id"]>().toEqualTypeOf<string>();
  expectTypeOf<Reassigned["subscription_id"]>().toEqualTypeOf<string>();
  expectTypeOf<Reassigned["subscription_line_id"]>().toEqualTypeOf<string | null>();
  expectTypeOf<Reassigned["external_subscriber_id"]>().toEqualTypeOf<string | null>();
  expectTypeOf<Reassigned["subscription_status"]>().toEqualTypeOf<Status>();
  type Old = Before<"sim.reassigned">;
  expectTypeOf<Old["subscription_id"]>().toEqualTypeOf<string | null>();
  expectTypeOf<Old["subscriber_id"]>().toEqualTypeOf<string | null>();
  expectTypeOf<Old["subscription_line_id"]>().toEqualTypeOf<string | null>();
  expectTypeOf<Old["subscription_status"]>().toEqualTypeOf<Status | null>();
});

test("cards and ports", () => {
  type Stock<Name extends string> = InEither<"sim_inventory.low_stock", Name>;
  expectTypeOf<InEither<"sim_inventory.quarantined", "quarantine_reason">>().toEqualTypeOf<
    Both<MaybeText>
  >();
  expectTypeOf<Stock<"available">>().toEqualTypeOf<Both<MaybeNumber>>();
  expectTypeOf<Stock<"threshold">>().toEqualTypeOf<Both<MaybeNumber>>();
  type Code =
    | OpenEnum<
        | "wrong_account_number"
        | "wrong_pin"
        | "number_not_portable"
        | "name_mismatch"
        | "pending_port"
      >
    | null
    | undefined;
  type Stalled<Name extends string> = InEither<"port.resolution_required", Name>;
  type Expiring<Name extends string> = InEither<"port.resolution_expiring", Name>;
  expectTypeOf<Stalled<"status_reason">>().toEqualTypeOf<Both<MaybeText>>();
  expectTypeOf<Stalled<"status_reason_code">>().toEqualTypeOf<Both<Code>>();
  expectTypeOf<Expiring<"status_reason">>().toEqualTypeOf<Both<MaybeText>>();
  expectTypeOf<Expiring<"status_reason_code">>().toEqualTypeOf<Both<Code>>();
  expectTypeOf<Expiring<"submitted_at">>().toEqualTypeOf<Both<MaybeText>>();
  expectTypeOf<Expiring<"days_since_submitted">>().toEqualTypeOf<Both<MaybeNumber>>();
  const expiring = {} as WebhookEvent<"port.resolution_expiring">;
  expectTypeOf(() =>
    fieldOf(expiring, "days_since_submitted"),
  ).returns.toEqualTypeOf<MaybeNumber>();
});

test("billing", () => {
  expectTypeOf<Snapshot<"invoice.upcoming">["status"]>().toEqualTypeOf<OpenEnum<"upcoming">>();
  // A preview has no id, but those that read the id of any object may name it.
  expectTypeOf<Snapshot<"invoice.upcoming">["id"]>().toBeUnknown();
  expectTypeOf<Snapshot<"invoice.created">["id"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Snapshot<"invoice.finalized">["hosted_invoice_url"]>().toEqualTypeOf<MaybeText>();
  expectTypeOf<Snapshot<"invoice.finalized">["document_url"]>().toEqualTypeOf<MaybeText>();
  type Ready = Snapshot<"invoice.document_ready">;
  expectTypeOf<Ready["hosted_invoice_url"]>().toEqualTypeOf<string>();
  expectTypeOf<Ready["document_url"]>().toEqualTypeOf<string>();
  type Card = Before<"payment_method.updated">;
  expectTypeOf<Card["is_default"]>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<Card["card_brand"]>().toEqualTypeOf<MaybeText>();
  expectTypeOf<Card["card_last4"]>().toEqualTypeOf<MaybeText>();
  expectTypeOf<Card["card_exp_month"]>().toEqualTypeOf<number | MaybeText>();
  expectTypeOf<Card["card_exp_year"]>().toEqualTypeOf<number | MaybeText>();
  expectTypeOf<Snapshot<"balance.credited">["kind"]>().toEqualTypeOf<
    OpenEnum<"referral"> | null | undefined
  >();
});

test("verifications", () => {
  type Requested = Snapshot<"cpni.verification.requested">;
  expectTypeOf<Requested["object"]>().toEqualTypeOf<OpenEnum<"cpni_verification">>();
  expectTypeOf<Requested["id"]>().toEqualTypeOf<string>();
  expectTypeOf<Requested["subscriber_id"]>().toEqualTypeOf<string>();
  expectTypeOf<Requested["agent"]["user_id"]>().toEqualTypeOf<string>();
  expectTypeOf<Requested["agent"]["email"]>().toEqualTypeOf<string>();
  expectTypeOf<Requested["code"]>().toEqualTypeOf<Secret | undefined>();
  expectTypeOf<Requested["expires_at"]>().toEqualTypeOf<string>();
  expectTypeOf<Requested["grant_duration_seconds"]>().toEqualTypeOf<number>();
  type Succeeded = Snapshot<"cpni.verification.succeeded">;
  expectTypeOf<Succeeded["status"]>().toEqualTypeOf<OpenEnum<"verified"> | null | undefined>();
  expectTypeOf<Succeeded["submitted_by"]>().toEqualTypeOf<Requested["agent"] | undefined>();
  expectTypeOf<Snapshot<"cpni.verification.failed">>().toEqualTypeOf<Succeeded>();
  expectTypeOf<Snapshot<"cpni.escalation.requested">["reason"]>().toEqualTypeOf<MaybeText>();
});

test("referrals, connections, fraud, orders and the test event", () => {
  type Earned = Snapshot<"referral.reward.earned">;
  expectTypeOf<Earned["referral_id"]>().toEqualTypeOf<string>();
  expectTypeOf<Earned["step_index"]>().toEqualTypeOf<number>();
  expectTypeOf<Earned["recipient"]>().toBeUnknown();
  expectTypeOf<Earned["amount_cents"]>().toEqualTypeOf<number>();
  expectTypeOf<InEither<"referral.reward.fulfilled", "credit_ref">>().toEqualTypeOf<
    Both<MaybeText>
  >();
  expectTypeOf<Snapshot<"referral.reward.forfeited">["reason"]>().toEqualTypeOf<MaybeText>();
  expectTypeOf<Snapshot<"referral.voided">["reason"]>().toEqualTypeOf<MaybeText>();
  type Active = OpenEnum<"active">;
  expectTypeOf<Before<"payment_connection.verified">["status"]>().toEqualTypeOf<Active>();
  expectTypeOf<Before<"payment_connection.auth_failed">["status"]>().toEqualTypeOf<Active>();
  expectTypeOf<
    Before<"payment_connection.credentials_expired">["status"]
  >().toEqualTypeOf<Active>();
  type Fraud<Name extends string> = InEither<"fraud.evaluated", Name>;
  expectTypeOf<Fraud<"decision">>().toEqualTypeOf<Both<MaybeText>>();
  expectTypeOf<Fraud<"score">>().toEqualTypeOf<Both<MaybeNumber>>();
  expectTypeOf<Fraud<"reasons">>().toEqualTypeOf<Both<unknown[] | null | undefined>>();
  expectTypeOf<Fraud<"mode">>().toEqualTypeOf<Both<MaybeText>>();
  expectTypeOf<Fraud<"subject">>().toEqualTypeOf<Both<FraudSubject | null | undefined>>();
  expectTypeOf<FraudSubject["email"]>().toBeUnknown();
  expectTypeOf<Snapshot<"webhook_endpoint.test">["id"]>().toEqualTypeOf<string | undefined>();
});
