import { describe, expect, test } from "vitest";
import * as z from "zod";
import { isRecord, stringifyJson } from "@fieldmesh/core/internal";
import type { EventSource, EventType } from "../src/index.ts";
import { createEventParser, EventParseError, parseEvent } from "../src/parse/index.ts";
import { sampleEvent } from "../src/samples.ts";

// What the spec says about events beyond the form of their fields: an event that contradicts it is reported, and handled. Only where
// the spec also states the place, strict rejects it.

/** A change of a sample, the place that the drift names, and whether strict rejects the event for it. */
type Cell = readonly [change: object, path: string, strict: "handled" | "rejected"];

interface Row {
  readonly says: string;
  readonly type: EventType;
  /** Changes of the sample that are as the sentence says. The sample is, too. */
  readonly fits: readonly object[];
  readonly contradicts: readonly Cell[];
  /** What follows if the event has no such field. */
  readonly absent: readonly Cell[];
}

/** The spec does not say that the event has the field. */
const NOT_STATED: readonly Cell[] = [[{}, "", "handled"]];

const inObject = (object: object) => ({ data: { object } });
const before = (previous_attributes: object) => ({ data: { previous_attributes } });

/** The spec says that an event carries fields, and not whether `data.object` or `data` has them. */
function carried(says: string, type: EventType, fields: object, mayBeNull = false): Row[] {
  return Object.entries(fields).map(([name, value]): Row => {
    const none = inObject({ [name]: null });
    const cell: Cell = [none, `data.object.${name}`, "handled"];
    const moved = { data: { object: { [name]: undefined }, [name]: value as unknown } };
    return {
      says: `${says} (${name})`,
      type,
      fits: [inObject({ [name]: value as unknown }), moved, ...(mayBeNull ? [none] : [])],
      contradicts: mayBeNull ? NOT_STATED : [cell],
      absent: [[inObject({ [name]: undefined }), cell[1], "handled"]],
    };
  });
}

/** The table of states: a field of the object has a value after the event. */
function becomes(type: EventType, field: string, value: string, other: string): Row {
  return {
    says: `${type}: next state ${value}`,
    type,
    fits: [inObject({ [field]: value })],
    contradicts: [[inObject({ [field]: other }), `data.object.${field}`, "handled"]],
    absent: NOT_STATED,
  };
}

const personal = (type: EventType, ...names: string[]): Row => ({
  says: `${type}: carries no ${names.join(", no ")}`,
  type,
  fits: [inObject({ [names[0]!]: undefined }), { data: { email: null } }],
  contradicts: names.flatMap((name): Cell[] => [
    [inObject({ [name]: "x" }), `data.object.${name}`, "handled"],
    [{ data: { [name]: "x" } }, `data.${name}`, "handled"],
  ]),
  absent: NOT_STATED,
});

const rows: readonly Row[] = [
  {
    says: "id: prefix evt_",
    type: "plan.created",
    fits: [{ id: "evt_1" }],
    contradicts: [
      [{ id: "1" }, "id", "rejected"],
      [{ id: "ev_t_1" }, "id", "rejected"],
    ],
    absent: [[{ id: undefined }, "id", "rejected"]],
  },
  {
    says: "created_at: ISO 8601 UTC timestamp",
    type: "plan.created",
    fits: ["2026-11-20T08:30:00.123456Z", "2026-11-20T08:30Z", "2026-11-20T08:30:00+00:00"].map(
      (created_at) => ({ created_at }),
    ),
    contradicts: ["yesterday", "1700000000", "2026-11-20", "2026-11-20T08:30:00+02:00"].map(
      (created_at): Cell => [{ created_at }, "created_at", "rejected"],
    ),
    absent: [[{ created_at: undefined }, "created_at", "rejected"]],
  },
  {
    says: "email, phone, date_of_birth null; pii_redacted true",
    type: "subscriber.created",
    fits: [],
    contradicts: [
      [inObject({ email: "a@b.c" }), "data.object.email", "rejected"],
      [inObject({ phone: "+1202" }), "data.object.phone", "rejected"],
      [inObject({ date_of_birth: "1990-01-01" }), "data.object.date_of_birth", "rejected"],
      [inObject({ pii_redacted: false }), "data.object.pii_redacted", "rejected"],
    ],
    absent: [[inObject({ pii_redacted: undefined }), "data.object.pii_redacted", "rejected"]],
  },
  {
    says: "the lock turns on: user_initiated_lock",
    type: "subscriber.locked",
    fits: [],
    contradicts: [
      [inObject({ locked_status: "unlocked" }), "data.object.locked_status", "rejected"],
    ],
    absent: [[inObject({ locked_status: undefined }), "data.object.locked_status", "rejected"]],
  },
  {
    says: "the lock turns off: unlocked",
    type: "subscriber.unlocked",
    fits: [],
    contradicts: [
      [inObject({ locked_status: "user_initiated_lock" }), "data.object.locked_status", "rejected"],
    ],
    absent: [[inObject({ locked_status: undefined }), "data.object.locked_status", "rejected"]],
  },
  {
    says: "previous_attributes holds prior values of changed fields (contact fields redacted)",
    type: "subscriber.updated",
    fits: [null, "[redacted]", "a***@b.c"].map((email) => before({ email })),
    contradicts: [
      [before({ email: "a@b.c" }), "data.previous_attributes.email", "handled"],
      [before({ phone: "+12025550143" }), "data.previous_attributes.phone", "handled"],
      [
        before({ date_of_birth: "1990-01-01" }),
        "data.previous_attributes.date_of_birth",
        "handled",
      ],
    ],
    absent: [
      [{ data: { previous_attributes: undefined } }, "data.previous_attributes", "rejected"],
    ],
  },
  ...carried(
    "carries payment_updates_blocked_until and payment_updates_blocked_reason",
    "subscriber.payment_updates_blocked",
    { payment_updates_blocked_until: "2026-12-01", payment_updates_blocked_reason: "fraud" },
  ),
  {
    says: "reason is requested, scheduled, port_out, or null",
    type: "subscription.line_removed",
    fits: [
      ...["requested", "scheduled", "port_out", null].map((reason) => inObject({ reason })),
      { data: { object: { reason: undefined }, reason: null } },
    ],
    contradicts: [
      [inObject({ reason: "bored" }), "data.object.reason", "handled"],
      [{ data: { reason: "bored" } }, "data.reason", "handled"],
    ],
    absent: [[inObject({ reason: undefined }), "data.object.reason", "handled"]],
  },
  ...carried("carries departs_at", "subscription.line.removal_scheduled", {
    departs_at: "2026-12-20T00:00:00Z",
  }),
  {
    says: "data.scheduled_change.reason says why",
    type: "subscription.scheduled_change_failed",
    fits: [],
    contradicts: [
      [{ data: { scheduled_change: { reason: null } } }, "data.scheduled_change.reason", "handled"],
    ],
    absent: [[{ data: { scheduled_change: undefined } }, "data.scheduled_change", "rejected"]],
  },
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
  ...(
    [
      ["subscription.resumed", "status", "paused"],
      ["subscription.recovered", "status", "past_due"],
      ["sim.restored", "state", "suspended"],
    ] as const
  ).map(([type, field, value]): Row => ({
    says: `${type}: from ${value}`,
    type,
    fits: [before({ [field]: value })],
    contradicts: [[before({ [field]: "other" }), `data.previous_attributes.${field}`, "handled"]],
    absent: NOT_STATED,
  })),
  ...carried("carries subscription_renewal", "subscription.renewal_upcoming", {
    subscription_renewal: {},
  }),
  {
    says: "data.state is deactivated or provisioned",
    type: "sim.cleared",
    fits: [
      { data: { state: "provisioned" } },
      { data: { state: undefined, object: { state: "provisioned" } } },
    ],
    contradicts: [
      [{ data: { state: "active" } }, "data.state", "rejected"],
      [{ data: { state: undefined, object: { state: "active" } } }, "data.object.state", "handled"],
    ],
    absent: [
      [
        { data: { state: undefined, object: { state: undefined } } },
        "data.object.state",
        "handled",
      ],
    ],
  },
  {
    says: "previous_attributes holds subscriber_id, subscription_id, subscription_line_id and msisdn",
    type: "sim.cleared",
    fits: [before({ subscriber_id: null })],
    contradicts: [[before({ msisdn: 7 }), "data.previous_attributes.msisdn", "handled"]],
    absent: [
      [
        before({ subscription_line_id: undefined }),
        "data.previous_attributes.subscription_line_id",
        "handled",
      ],
      [{ data: { previous_attributes: undefined } }, "data.previous_attributes", "rejected"],
    ],
  },
  {
    says: "carries the link target (on a group line, the member)",
    type: "sim.linked",
    fits: [inObject({ subscriber_id: undefined }), inObject({ holder_subscriber_id: undefined })],
    contradicts: [
      [
        inObject({ subscriber_id: null, holder_subscriber_id: null }),
        "data.object.holder_subscriber_id",
        "handled",
      ],
    ],
    absent: [
      [
        inObject({ subscriber_id: undefined, holder_subscriber_id: undefined }),
        "data.object.holder_subscriber_id",
        "handled",
      ],
    ],
  },
  {
    says: "object carries subscriber_id, holder_subscriber_id, …; previous_attributes carries the old",
    type: "sim.reassigned",
    fits: [inObject({ subscription_line_id: null })],
    contradicts: [
      [inObject({ holder_subscriber_id: null }), "data.object.holder_subscriber_id", "handled"],
    ],
    absent: [
      [inObject({ subscription_status: undefined }), "data.object.subscription_status", "handled"],
      [
        before({ subscription_id: undefined }),
        "data.previous_attributes.subscription_id",
        "handled",
      ],
    ],
  },
  ...carried("carries scam_block_enabled", "sim.scam_block_changed", { scam_block_enabled: true }),
  ...carried("carries video_quality, video_stepped_down", "sim.video_quality_changed", {
    video_quality: "480p",
    video_stepped_down: true,
  }),
  ...carried(
    "carries previous_video_quality",
    "sim.video_quality_changed",
    { previous_video_quality: "1080p" },
    true,
  ),
  ...carried("carries wps", "sim.wps_changed", { wps: 5 }, true),
  ...carried("carries boost_mb and boost_mb_removed", "sim.boost_reduced", {
    boost_mb: 1,
    boost_mb_removed: 1,
  }),
  ...carried("carries the SIM and profile_expires_at", "sim.esim_profile_downloaded", {
    profile_expires_at: "2026-12-01T00:00:00Z",
  }),
  personal("sim.esim_profile_downloaded", "profile", "activation_code"),
  ...carried("carries quarantine_reason", "sim_inventory.quarantined", {
    quarantine_reason: "lost",
  }),
  ...carried("carries available and threshold", "sim_inventory.low_stock", {
    available: 25,
    threshold: 25,
  }),
  {
    says: "leaves exactly the low-stock threshold",
    type: "sim_inventory.low_stock",
    fits: [inObject({ available: 3, threshold: 3 })],
    contradicts: [[inObject({ available: 24 }), "data.object.available", "handled"]],
    absent: NOT_STATED,
  },
  ...(["port.resolution_required", "port.resolution_expiring"] as const).flatMap((type) =>
    carried("status_reason carries the carrier text, status_reason_code its code", type, {
      status_reason: "no",
      status_reason_code: "wrong_pin",
    }),
  ),
  ...carried("carries submitted_at, days_since_submitted", "port.resolution_expiring", {
    submitted_at: "2026-10-30T08:30:00Z",
    days_since_submitted: 21,
  }),
  {
    says: "a preview invoice object (status upcoming, no id)",
    type: "invoice.upcoming",
    fits: [],
    contradicts: [
      [inObject({ status: "open" }), "data.object.status", "rejected"],
      [inObject({ id: "in_1" }), "data.object.id", "handled"],
    ],
    absent: [[inObject({ status: undefined }), "data.object.status", "rejected"]],
  },
  {
    says: "hosted_invoice_url and document_url are populated on its object",
    type: "invoice.document_ready",
    fits: [],
    contradicts: [[inObject({ document_url: null }), "data.object.document_url", "rejected"]],
    absent: [[inObject({ document_url: undefined }), "data.object.document_url", "rejected"]],
  },
  {
    says: "previous_attributes holds is_default false, or one or more of card_brand, card_last4, …",
    type: "payment_method.updated",
    fits: [
      before({ is_default: false }),
      before({ is_default: undefined, card_last4: "4242" }),
      before({ is_default: undefined, card_exp_month: 4, card_exp_year: 2029 }),
    ],
    contradicts: [
      [before({ is_default: true }), "data.previous_attributes", "rejected"],
      [before({ is_default: undefined, nickname: "x" }), "data.previous_attributes", "rejected"],
    ],
    absent: [
      [before({ is_default: undefined }), "data.previous_attributes", "rejected"],
      [{ data: { previous_attributes: undefined } }, "data.previous_attributes", "rejected"],
    ],
  },
  {
    says: "Shape of cpni.verification.requested data.object",
    type: "cpni.verification.requested",
    fits: [inObject({ code: "0" })],
    contradicts: [
      [inObject({ object: "verification" }), "data.object.object", "rejected"],
      [inObject({ code: "12x4" }), "data.object.code", "rejected"],
      [inObject({ expires_at: "soon" }), "data.object.expires_at", "rejected"],
      [inObject({ grant_duration_seconds: 1.5 }), "data.object.grant_duration_seconds", "rejected"],
      [inObject({ agent: { email: 7 } }), "data.object.agent.email", "rejected"],
    ],
    absent: [
      // The type does not know whether an event comes from the store, which has no code.
      [inObject({ code: undefined }), "data.object.code", "handled"],
      [inObject({ expires_at: undefined }), "data.object.expires_at", "rejected"],
    ],
  },
  ...(["succeeded", "failed"] as const).map((word): Row => ({
    says: "submitted_by is present only when that agent differs from agent; object; no secret",
    type: `cpni.verification.${word}`,
    fits: [inObject({ submitted_by: { user_id: "usr_2", email: "b@b.c" } })],
    contradicts: [
      [
        inObject({ agent: { user_id: "u" }, submitted_by: { user_id: "u", email: "a@b.c" } }),
        "data.object.submitted_by.user_id",
        "handled",
      ],
      [inObject({ object: "verification" }), "data.object.object", "handled"],
      [inObject({ code: "493817" }), "data.object.code", "handled"],
      [
        inObject({ status: word === "failed" ? "verified" : "failed" }),
        "data.object.status",
        "handled",
      ],
    ],
    absent: [[inObject({ agent: undefined }), "data.object.agent", "rejected"]],
  })),
  ...(["requested", "approved", "denied"] as const).map((word) =>
    personal(`cpni.escalation.${word}`, "code", "email", "phone", "date_of_birth"),
  ),
  {
    says: "cpni.escalation.* events carry no personal data (agent)",
    type: "cpni.escalation.approved",
    fits: [inObject({ agent: { user_id: "usr_1" } })],
    contradicts: [[inObject({ agent: { email: "a@b.c" } }), "data.object.agent.email", "handled"]],
    absent: NOT_STATED,
  },
  ...carried("carries the agent's reason", "cpni.escalation.requested", { reason: "lost phone" }),
  {
    says: "data.object carries referral_id, step_index, recipient, amount_cents",
    type: "referral.reward.earned",
    fits: [],
    contradicts: [[inObject({ amount_cents: null }), "data.object.amount_cents", "handled"]],
    absent: ["referral_id", "step_index", "recipient", "amount_cents"].map((name): Cell => [
      inObject({ [name]: undefined }),
      `data.object.${name}`,
      "handled",
    ]),
  },
  ...carried("carries credit_ref", "referral.reward.fulfilled", { credit_ref: "bal_1" }),
  ...(
    [
      "referral.created",
      "referral.reward.earned",
      "referral.reward.fulfilled",
      "referral.reward.forfeited",
      "referral.completed",
      "referral.voided",
    ] as const
  ).map((type) => personal(type, "email", "phone", "date_of_birth")),
  ...(["verified", "auth_failed", "credentials_expired"] as const).map((word): Row => {
    const type = `payment_connection.${word}` as const;
    const { status } = sampleEvent(type).data.object;
    return {
      says: "fire only when the status changed; previous_attributes carries the old status",
      type,
      fits: [before({ status: "other" })],
      contradicts: [[before({ status }), "data.previous_attributes.status", "handled"]],
      absent: [[before({ status: undefined }), "data.previous_attributes.status", "handled"]],
    };
  }),
  ...carried("carries decision, score, reasons, mode and the screened subject", "fraud.evaluated", {
    decision: "deny",
    score: 1,
    reasons: [],
    mode: "enforce",
    subject: {},
  }),
  {
    says: "carries only the endpoint id",
    type: "webhook_endpoint.test",
    fits: [{ data: { object: { id: undefined }, id: "we_1" } }],
    contradicts: [[inObject({ url: "https://a.b" }), "data.object", "handled"]],
    absent: [[inObject({ id: undefined }), "data.object.id", "handled"]],
  },
  ...(["paid", "created", "refunded", "canceled"] as const).flatMap((word) =>
    carried("shipping_address is injected into the outbound webhook body", `psim_order.${word}`, {
      shipping_address: { city: "Portland" },
    }),
  ),
];

function wireOf(type: EventType, change: object): object {
  return merge(JSON.parse(stringifyJson(sampleEvent(type), { reveal: true })), change) as object;
}

function merge(base: unknown, change: unknown): unknown {
  if (!isRecord(base) || !isRecord(change)) return change;
  const changed = Object.entries(change).map(([name, value]) => [name, merge(base[name], value)]);
  return JSON.parse(JSON.stringify({ ...base, ...Object.fromEntries(changed) }));
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

describe.each(rows)("$type: $says", ({ type, fits, contradicts, absent }) => {
  test.each([{}, ...fits])("fits: %j", (change) => {
    for (const mode of ["warn", "strict"] as const)
      expect(placesOf(wireOf(type, change), mode)).toEqual({ outcome: "handled", places: [] });
  });

  const cells = [...contradicts, ...absent].filter(([, path]) => path !== "");
  test.each(cells)("differs: %j", (change, path, strict) => {
    // An envelope without a field was never an event.
    const outcome = path in change ? "rejected" : "handled";
    const isStatement = (change as Record<string, unknown>)[path] !== undefined;
    expect(placesOf(wireOf(type, change), "warn")).toEqual({
      outcome: isStatement ? "handled" : outcome,
      places: [path],
    });
    expect(placesOf(wireOf(type, change), "strict")).toEqual({ outcome: strict, places: [path] });
  });
});

test("no cell of the table is empty", () => {
  const isEmpty = ({ contradicts, absent }: Row) => contradicts.length * absent.length === 0;
  expect(rows.filter(isEmpty)).toEqual([]);
});

test("a place that has the wrong type is named once, and an object of your schema is not read", () => {
  const wire = wireOf("subscription.paused", inObject({ status: 7 }));
  expect(placesOf(wire, "warn").places).toEqual(["data.object.status"]);
  const parse = createEventParser({ "subscription.paused": z.looseObject({}) });
  expect(parse(wire, { validation: "strict" }).drift).toBeUndefined();
});

test("a stored event never has a code or a shipping address", () => {
  const places = (change: object, type: EventType) =>
    placesOf(wireOf(type, change), "strict", "store");
  const none = { outcome: "handled", places: [] };
  expect(places(inObject({ code: undefined }), "cpni.verification.requested")).toEqual(none);
  expect(places({}, "cpni.verification.requested").places).toEqual(["data.object.code"]);
  for (const shipping_address of [undefined, null, "[redacted]", { city: null }])
    expect(places(inObject({ shipping_address }), "psim_order.paid")).toEqual(none);
  expect(places({}, "psim_order.paid").places).toEqual(["data.object.shipping_address"]);
});

test("a code that should not be there is hidden", () => {
  const wire = wireOf("cpni.escalation.denied", inObject({ code: "493817" }));
  expect(stringifyJson(parseEvent(wire, { onDrift: () => {} }))).not.toContain("493817");
});
