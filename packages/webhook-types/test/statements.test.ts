import { describe, expect, test } from "vitest";
import * as z from "zod";
import { isRecord, stringifyJson } from "@fieldmesh/core/internal";
import type { EventSource, EventType } from "../src/index.ts";
import { createEventParser, EventParseError, parseEvent } from "../src/parse/index.ts";
import { sampleEvent } from "../src/samples.ts";

// What the spec says about events beyond the form of their fields: an event that contradicts it is reported, and handled. Only where
// the spec also states the place, strict rejects it.

/** Values of a sample to change, by their path in `data`, or after a slash in the envelope. Drift names the first. */
type Change = Readonly<Record<string, unknown>>;

interface Row {
  readonly says: string;
  readonly type: EventType;
  /** Changes that are as the sentence says, beside the sample itself. */
  readonly fits: readonly Change[];
  readonly contradicts: readonly Change[] | "nothing";
  /** What must not be absent. */
  readonly absent: readonly string[] | "not stated";
  readonly strict: "handled" | "rejected";
}

const NONE = undefined;
const row = (
  says: string,
  type: EventType,
  fits: Row["fits"],
  contradicts: Row["contradicts"],
  absent: Row["absent"],
  strict: Row["strict"] = "handled",
): Row => ({ says, type, fits, contradicts, absent, strict });

/** The spec says that an event carries fields, and not whether `data.object` or `data` has them. */
const carried = (says: string, type: EventType, fields: object, mayBeNull = false): Row[] =>
  Object.entries(fields).map(([name, value]) => {
    const place = `object.${name}`;
    const fits = [{ [place]: value as unknown }, { [place]: NONE, [name]: value as unknown }];
    const isNull = [{ [place]: null }];
    return mayBeNull
      ? row(`${says} (${name})`, type, [...fits, ...isNull], "nothing", [place])
      : row(`${says} (${name})`, type, fits, isNull, [place]);
  });

const becomes = (type: EventType, field: string, value: string, other: string): Row => {
  const [right, wrong] = [[{ [`object.${field}`]: value }], [{ [`object.${field}`]: other }]];
  return row(`${type}: next state ${value}`, type, right, wrong, "not stated");
};

const was = (type: EventType, field: string, value: string): Row => {
  const place = `previous_attributes.${field}`;
  return row(
    `${type}: from ${value}`,
    type,
    [{ [place]: value }],
    [{ [place]: "other" }],
    "not stated",
  );
};

const without = (type: EventType, ...names: string[]): Row => {
  const wrong = names.flatMap((name) => [{ [`object.${name}`]: "x" }, { [name]: "x" }]);
  return row(
    `${type}: carries no ${names.join(", no ")}`,
    type,
    [{ email: null }],
    wrong,
    "not stated",
  );
};

const STALLED = { status_reason: "no", status_reason_code: "wrong_pin" };
const PERSONAL = ["email", "phone", "date_of_birth"];

// A line for each sentence.
// oxfmt-ignore
const rows: readonly Row[] = [
  row("id: prefix evt_", "plan.created", [{ "/id": "evt_1" }], [{ "/id": "1" }, { "/id": "ev_t_1" }], ["/id"], "rejected"),
  row("created_at: ISO 8601 UTC timestamp", "plan.created", ["2026-11-20T08:30:00.123456Z", "2026-11-20T08:30Z", "2026-11-20T08:30:00+00:00"].map((time) => ({ "/created_at": time })),
    ["yesterday", "1700000000", "2026-11-20", "2026-11-20T08:30:00+02:00"].map((time) => ({ "/created_at": time })), ["/created_at"], "rejected"),
  row("email, phone, date_of_birth null; pii_redacted true", "subscriber.created", [], [...PERSONAL.map((name) => ({ [`object.${name}`]: "x" })), { "object.pii_redacted": false }], ["object.pii_redacted"], "rejected"),
  row("the lock turns on: user_initiated_lock", "subscriber.locked", [], [{ "object.locked_status": "unlocked" }], ["object.locked_status"], "rejected"),
  row("the lock turns off: unlocked", "subscriber.unlocked", [], [{ "object.locked_status": "user_initiated_lock" }], ["object.locked_status"], "rejected"),
  row("previous_attributes holds prior values of changed fields (contact fields redacted)", "subscriber.updated", [null, "[redacted]", "a***@b.c"].map((email) => ({ "previous_attributes.email": email })),
    PERSONAL.map((name) => ({ [`previous_attributes.${name}`]: "a@b.c" })), "not stated"),
  row("previous_attributes holds prior values", "subscriber.updated", [], [{ previous_attributes: 7 }], ["previous_attributes"], "rejected"),
  ...carried("carries payment_updates_blocked_until and payment_updates_blocked_reason", "subscriber.payment_updates_blocked", { payment_updates_blocked_until: "2026-12-01", payment_updates_blocked_reason: "fraud" }),
  row("reason is requested, scheduled, port_out, or null", "subscription.line_removed", [...["requested", "scheduled", "port_out", null].map((reason) => ({ "object.reason": reason })), { "object.reason": NONE, reason: null }],
    [{ "object.reason": "bored" }, { reason: "bored" }], ["object.reason"]),
  ...carried("carries departs_at", "subscription.line.removal_scheduled", { departs_at: "2026-12-20T00:00:00Z" }),
  row("data.scheduled_change.reason says why", "subscription.scheduled_change_failed", [], [{ "scheduled_change.reason": null }], ["scheduled_change.reason"]),
  becomes("subscription.paused", "status", "paused", "active"),
  becomes("subscription.resumed", "status", "active", "paused"),
  becomes("subscription.cancelled", "status", "cancelled", "active"),
  becomes("subscription.terminated", "status", "terminated", "active"),
  becomes("subscription.past_due", "status", "past_due", "active"),
  becomes("subscription.unpaid", "status", "past_due", "unpaid"),
  becomes("subscription.recovered", "status", "active", "past_due"),
  becomes("sim.suspended", "state", "suspended", "active"),
  becomes("sim.restored", "state", "active", "suspended"),
  becomes("sim.reinstated", "state", "active", "suspended"),
  becomes("sim.deactivated", "state", "deactivated", "active"),
  becomes("payment_connection.verified", "status", "active", "limited"),
  was("subscription.resumed", "status", "paused"),
  was("subscription.recovered", "status", "past_due"),
  was("sim.restored", "state", "suspended"),
  ...carried("carries subscription_renewal", "subscription.renewal_upcoming", { subscription_renewal: {} }),
  row("data.state is deactivated or provisioned", "sim.cleared", [{ state: "provisioned" }, { state: NONE, "object.state": "provisioned" }], [{ state: "active" }], "not stated", "rejected"),
  row("data.state, or the state of the object", "sim.cleared", [], [{ "object.state": "active", state: NONE }, { "object.state": NONE, state: NONE }], "not stated"),
  row("previous_attributes holds subscriber_id, subscription_id, subscription_line_id and msisdn", "sim.cleared", [{ "previous_attributes.subscriber_id": null }], [{ "previous_attributes.msisdn": 7 }], ["previous_attributes.subscription_line_id"]),
  row("carries the link target (on a group line, the member)", "sim.linked", [{ "object.subscriber_id": NONE }, { "object.holder_subscriber_id": NONE }], [null, NONE].map((id) => ({ "object.holder_subscriber_id": id, "object.subscriber_id": id })), "not stated"),
  row("object carries subscriber_id, holder_subscriber_id, …; previous_attributes carries the old", "sim.reassigned", [{ "object.subscription_line_id": null }], [{ "object.holder_subscriber_id": null }], ["object.subscription_status", "previous_attributes.subscription_id"]),
  ...carried("carries scam_block_enabled", "sim.scam_block_changed", { scam_block_enabled: true }),
  ...carried("carries video_quality, video_stepped_down", "sim.video_quality_changed", { video_quality: "480p", video_stepped_down: true }),
  ...carried("carries previous_video_quality", "sim.video_quality_changed", { previous_video_quality: "1080p" }, true),
  ...carried("carries wps", "sim.wps_changed", { wps: 5 }, true),
  ...carried("carries boost_mb and boost_mb_removed", "sim.boost_reduced", { boost_mb: 1, boost_mb_removed: 1 }),
  ...carried("carries the SIM and profile_expires_at", "sim.esim_profile_downloaded", { profile_expires_at: "2026-12-01T00:00:00Z" }),
  without("sim.esim_profile_downloaded", "profile", "activation_code"),
  ...carried("carries quarantine_reason", "sim_inventory.quarantined", { quarantine_reason: "lost" }),
  ...carried("carries available and threshold", "sim_inventory.low_stock", { available: 25, threshold: 25 }),
  row("leaves exactly the low-stock threshold", "sim_inventory.low_stock", [{ "object.available": 3, "object.threshold": 3 }], [{ "object.available": 24 }], "not stated"),
  ...carried("status_reason carries the carrier text, status_reason_code its code", "port.resolution_required", STALLED),
  ...carried("status_reason carries the carrier text, status_reason_code its code", "port.resolution_expiring", STALLED),
  ...carried("carries submitted_at, days_since_submitted", "port.resolution_expiring", { submitted_at: "2026-10-30T08:30:00Z", days_since_submitted: 21 }),
  row("a preview invoice object (status upcoming, no id)", "invoice.upcoming", [], [{ "object.status": "open" }], ["object.status"], "rejected"),
  without("invoice.upcoming", "id"),
  row("hosted_invoice_url and document_url are populated on its object", "invoice.document_ready", [], [{ "object.document_url": null }], ["object.document_url"], "rejected"),
  row("previous_attributes holds is_default false, or one or more of card_brand, card_last4, …", "payment_method.updated", [{ is_default: false }, { card_last4: "4242" }, { card_exp_month: 4, card_exp_year: 2029 }].map((previous_attributes) => ({ previous_attributes })),
    [{ is_default: true }, { nickname: "x" }, {}].map((previous_attributes) => ({ previous_attributes })), ["previous_attributes"], "rejected"),
  row("Shape of cpni.verification.requested data.object", "cpni.verification.requested", [{ "object.code": "0" }],
    [{ "object.object": "verification" }, { "object.code": "12x4" }, { "object.expires_at": "soon" }, { "object.grant_duration_seconds": 1.5 }, { "object.agent.email": 7 }], ["object.expires_at"], "rejected"),
  // An event from the store has none, and only its source says so.
  row("carries the one-time code in data.object.code", "cpni.verification.requested", [], [{ "object.code": null }], ["object.code"]),
  ...(["succeeded", "failed"] as const).map((word) =>
    row("submitted_by is present only when that agent differs from agent; object; no secret", `cpni.verification.${word}`, [{ "object.submitted_by": { user_id: "usr_2", email: "b@b.c" } }],
      [{ "object.submitted_by.user_id": "u", "object.submitted_by.email": "a@b.c", "object.agent.user_id": "u" }, { "object.object": "verification" }, { "object.code": "493817" }, { "object.status": word === "failed" ? "verified" : "failed" }], "not stated")),
  row("data.object.agent is the requesting agent", "cpni.verification.failed", [], [{ "object.agent.user_id": 7 }], ["object.agent"], "rejected"),
  ...(["requested", "approved", "denied"] as const).map((word) => without(`cpni.escalation.${word}`, "code", ...PERSONAL)),
  row("cpni.escalation.* events carry no personal data (agent)", "cpni.escalation.approved", [{ "object.agent": { user_id: "usr_1" } }], [{ "object.agent.email": "a@b.c" }], "not stated"),
  ...carried("carries the agent's reason", "cpni.escalation.requested", { reason: "lost phone" }),
  row("data.object carries referral_id, step_index, recipient, amount_cents", "referral.reward.earned", [], [{ "object.amount_cents": null }], ["referral_id", "step_index", "recipient", "amount_cents"].map((name) => `object.${name}`)),
  ...carried("carries credit_ref", "referral.reward.fulfilled", { credit_ref: "bal_1" }),
  ...(["created", "reward.earned", "reward.fulfilled", "reward.forfeited", "completed", "voided"] as const).map((word) => without(`referral.${word}`, ...PERSONAL)),
  ...([["verified", "active"], ["auth_failed", "auth_failed"], ["credentials_expired", "credentials_expired"]] as const).map(([word, status]) =>
    row("fire only when the status changed; previous_attributes carries the old status", `payment_connection.${word}`, [{ "previous_attributes.status": "other" }], [{ "previous_attributes.status": status }], ["previous_attributes.status"])),
  ...carried("carries decision, score, reasons, mode and the screened subject", "fraud.evaluated", { decision: "deny", score: 1, reasons: [], mode: "enforce", subject: {} }),
  row("carries only the endpoint id", "webhook_endpoint.test", [{ "object.id": NONE, id: "we_1" }], [{ object: { id: "we_1", url: "https://a.b" } }], ["object.id"]),
  ...(["paid", "created", "refunded", "canceled"] as const).flatMap((word) =>
    carried("shipping_address is injected into the outbound webhook body", `psim_order.${word}`, { shipping_address: { city: "Portland" } })),
];

function wireOf(type: EventType, change: Change): object {
  const sample = JSON.parse(stringifyJson(sampleEvent(type), { reveal: true })) as unknown;
  const wire = Object.entries(change).reduce(
    (event, [place, value]) => put(event, pathOf(place).split("."), value),
    sample,
  );
  return JSON.parse(JSON.stringify(wire)) as object;
}

function pathOf(place: string): string {
  return place.startsWith("/") ? place.slice(1) : `data.${place}`;
}

function put(record: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const fields = isRecord(record) ? record : {};
  return { ...fields, [name]: put(fields[name], rest, value) };
}

/** The places that the drift names, or that an error names. */
function placesOf(wire: object, validation: "warn" | "strict", source?: EventSource) {
  const onDrift = () => {};
  try {
    const event = parseEvent(wire, { validation, onDrift, source });
    return { outcome: "handled", places: event.drift?.map(({ path }) => path) ?? [] };
  } catch (error) {
    if (!(error instanceof EventParseError)) throw error;
    return { outcome: "rejected", places: error.problems.map(({ path }) => path) };
  }
}

describe.each(rows)("$type: $says", ({ type, fits, contradicts, absent, strict }) => {
  test.each([{}, ...fits])("fits: %j", (change) => {
    for (const mode of ["warn", "strict"] as const)
      expect(placesOf(wireOf(type, change), mode)).toEqual({ outcome: "handled", places: [] });
  });

  const removed = typeof absent === "string" ? [] : absent.map((place) => ({ [place]: NONE }));
  const changes: Change[] = [...(typeof contradicts === "string" ? [] : contradicts), ...removed];
  test.each(changes)("differs: %j", (change) => {
    const [[place, value]] = Object.entries(change) as [[string, unknown]];
    const places = [pathOf(place)];
    // An envelope without a field was never an event.
    const warn = place.startsWith("/") && value === NONE ? "rejected" : "handled";
    expect(placesOf(wireOf(type, change), "warn")).toEqual({ outcome: warn, places });
    expect(placesOf(wireOf(type, change), "strict")).toEqual({ outcome: strict, places });
  });
});

test("no cell of the table is empty", () => {
  const isEmpty = ({ contradicts, absent }: Row) => contradicts.length * absent.length === 0;
  expect(rows.filter(isEmpty)).toEqual([]);
});

test("a place that has the wrong type is named once, and an object of your schema is not read", () => {
  const wire = wireOf("subscription.paused", { "object.status": 7 });
  expect(placesOf(wire, "warn").places).toEqual(["data.object.status"]);
  const parse = createEventParser({ "subscription.paused": z.looseObject({}) });
  expect(parse(wire, { validation: "strict" }).drift).toBeUndefined();
});

test("a field of another type hides no other difference, and lets no event pass", () => {
  const changes = { "/id": "x", "object.state": "active", "object.msisdn": 7 };
  const wire = wireOf("sim.suspended", changes);
  expect(placesOf(wire, "warn").places.toSorted()).toEqual([
    "data.object.msisdn",
    "data.object.state",
    "id",
  ]);
  expect(placesOf(wire, "strict")).toEqual({ outcome: "rejected", places: ["id"] });
});

test("a stored event never has a code or a shipping address", () => {
  const places = (change: Change, type: EventType) =>
    placesOf(wireOf(type, change), "strict", "store");
  const none = { outcome: "handled", places: [] };
  expect(places({ "object.code": NONE }, "cpni.verification.requested")).toEqual(none);
  expect(places({}, "cpni.verification.requested").places).toEqual(["data.object.code"]);
  for (const shipping_address of [undefined, null, "[redacted]", { city: null }])
    expect(places({ "object.shipping_address": shipping_address }, "psim_order.paid")).toEqual(
      none,
    );
  expect(places({}, "psim_order.paid").places).toEqual(["data.object.shipping_address"]);
});

test("a code that should not be there is hidden", () => {
  const wire = wireOf("cpni.escalation.denied", { "object.code": "493817" });
  expect(stringifyJson(parseEvent(wire, { onDrift: () => {} }))).not.toContain("493817");
});
