import type { EventEnvelope } from "@fieldmesh/webhook-types";
import { expect, test } from "vitest";
import type { History } from "./subject.ts";
import { builtIn, type Trace } from "./invariants.ts";

const WRITES: Trace = { effects: ["mail"], writesRow: true };
const REMOVES: Trace = { effects: [], writesRow: false };
const rules = builtIn(
  new Map([
    ["sim.activated", WRITES],
    ["sim.suspended", WRITES],
    ["sim.deleted", REMOVES],
    ["usage.reported", WRITES],
  ]),
);

/** When everything is delivered, if nothing else is said. */
const LATE = Date.UTC(2026, 10, 20, 9);
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 8, minute)).toISOString();

function event(id: string, type: string, minute: number, object: object = { id: "sim_1" }) {
  const data = { object };
  const envelope = { id, type, created_at: at(minute), livemode: false, data, idempotency_key: id };
  return envelope as unknown as EventEnvelope;
}

const active = event("evt_1", "sim.activated", 1);
const suspended = event("evt_2", "sim.suspended", 2);
const deleted = event("evt_3", "sim.deleted", 3);

interface Delivered {
  readonly at?: number;
  readonly event: EventEnvelope;
  readonly status: number | undefined;
  readonly isForged?: boolean;
}

/** Applies a rule to what happened. */
function problemOf(rule: string, deliveries: readonly Delivered[], more: Partial<History> = {}) {
  const history = {
    deliveries: deliveries.map((each) => ({ isForged: false, at: LATE, ...each })),
    effects: [],
    rows: new Map<string, EventEnvelope>(),
    ownRows: [],
    setAside: new Set<string>(),
    firstSeen: new Map(deliveries.map(({ event: { id } }) => [id, LATE])),
    ...more,
  };
  return rules[rule]?.(history as unknown as History);
}

const accepted = (...events: EventEnvelope[]) =>
  events.map((each) => ({ event: each, status: 200 }));

test("a forged delivery that is accepted breaks a rule, and one that is rejected does not", () => {
  const rule = "forged deliveries are rejected";
  expect(problemOf(rule, [{ event: active, status: 200, isForged: true }])).toBe(
    "evt_1 was signed with another secret, and was accepted.",
  );
  expect(problemOf(rule, [{ event: active, status: 401, isForged: true }])).toBeUndefined();
});

test.for([
  [
    undefined,
    "It did not respond the last time: something that it waits for does not come after a fault.",
  ],
  [
    401,
    "The last status was 401: the receiver reads the secret only once, or tolerates less than five minutes. Pass world.secrets itself.",
  ],
  [500, "The last status was 500."],
] as const)("an event that ends with status %s was never accepted", ([status, cause]) => {
  const rule = "every delivery is accepted in the end";
  const failing = [
    { event: active, status: 503 },
    ...accepted(suspended),
    { event: active, status },
  ];
  expect(problemOf(rule, failing)).toBe(
    `evt_1 was never accepted, although the sender retried it nine times without a fault. ${cause}`,
  );
  expect(problemOf(rule, [{ event: active, status }, ...accepted(active)])).toBeUndefined();
});

test("a forged delivery neither accepts an event nor leaves one without acceptance", () => {
  const rule = "every delivery is accepted in the end";
  expect(problemOf(rule, [{ event: active, status: 401, isForged: true }])).toBeUndefined();
  const forged = { event: active, status: 200, isForged: true };
  expect(problemOf(rule, [{ event: active, status: 500 }, forged])).toMatch(/^evt_1 was never/);
  expect(problemOf("nothing is lost", [forged])).toBeUndefined();
  expect(problemOf("the newest state wins", [forged])).toBeUndefined();
});

test("a delivery that was not accepted may leave nothing", () => {
  const failed = [{ event: active, status: 500 }];
  expect(problemOf("nothing is lost", failed)).toBeUndefined();
  expect(problemOf("the newest state wins", failed)).toBeUndefined();
});

test("an effect is lost unless it happened, or a newer event of the object was accepted", () => {
  const rule = "nothing is lost";
  const lost = 'evt_1 was accepted, and its effect "mail" never happened.';
  expect(problemOf(rule, accepted(active))).toBe(lost);
  expect(problemOf(rule, accepted(active), effects("evt_1"))).toBeUndefined();
  expect(problemOf(rule, accepted(active, deleted))).toBeUndefined();
  const another = event("evt_4", "sim.deleted", 5, { id: "sim_2" });
  expect(problemOf(rule, accepted(active, another))).toBe(lost);
  // An object of another kind may have the same id, and events of the same time are both news.
  const plan = event("evt_5", "plan.deleted", 5);
  const sameTime = event("evt_6", "sim.deleted", 1);
  expect(problemOf(rule, accepted(active, plan, sameTime))).toBe(lost);
  const rejected = { event: deleted, status: 500 };
  expect(problemOf(rule, [...accepted(active), rejected])).toBe(lost);
});

test("each effect of an event must happen, under its name and for this event", () => {
  const rule = "nothing is lost";
  const traces = new Map([["sim.activated", { effects: ["mail", "invoice"], writesRow: false }]]);
  const happened = (...all: [event: string, name: string][]) =>
    builtIn(traces)[rule]?.({
      deliveries: [{ event: active, status: 200, isForged: false, at: LATE }],
      effects: all.map(([id, name]) => ({ event: id, name })),
      rows: new Map(),
      ownRows: [],
      setAside: new Set(),
      firstSeen: new Map([["evt_1", LATE]]),
    });
  const lost = (name: string) => `evt_1 was accepted, and its effect "${name}" never happened.`;
  expect(happened(["evt_1", "mail"], ["evt_1", "invoice"])).toBeUndefined();
  expect(happened(["evt_1", "mail"])).toBe(lost("invoice"));
  expect(happened(["evt_1", "invoice"], ["evt_2", "mail"])).toBe(lost("mail"));
});

const effects = (...events: string[]): Partial<History> =>
  ({ effects: events.map((id) => ({ event: id, name: "mail" })) }) as unknown as Partial<History>;

test("an effect that happens twice breaks a rule", () => {
  const rule = "an effect happens once";
  expect(problemOf(rule, [], effects("evt_1", "evt_2", "evt_1"))).toBe(
    'the effect "mail" of evt_1 happened 2 times.',
  );
  expect(problemOf(rule, [], effects("evt_1", "evt_1", "evt_1"))).toContain("happened 3 times.");
  expect(problemOf(rule, [], effects("evt_1", "evt_2"))).toBeUndefined();
  const names = ["mail", "invoice"].map((name) => ({ event: "evt_1", name }));
  expect(problemOf(rule, [], { effects: names })).toBeUndefined();
});

const newest = "the newest state wins";
const rowOf = (shown: EventEnvelope): Partial<History> => ({ rows: new Map([["sim_1", shown]]) });

test("a row shows the newest event of its object", () => {
  const both = accepted(suspended, active);
  expect(problemOf(newest, both, rowOf(suspended))).toBeUndefined();
  expect(problemOf(newest, both, rowOf(active))).toBe(
    "a row shows evt_1, although evt_2 is newer.",
  );
  expect(problemOf(newest, both)).toBe("evt_2 was accepted, and no row shows it.");
});

test("one of several rows shows the newest event, and an object of another kind shows nothing", () => {
  const rows = (...shown: EventEnvelope[]) => ({
    rows: new Map(shown.map((each) => [each.id, each])),
  });
  expect(problemOf(newest, accepted(suspended), rows(active, suspended))).toBeUndefined();
  const plan = event("evt_5", "plan.updated", 5);
  const another = event("evt_6", "sim.suspended", 6, { id: "sim_2" });
  expect(problemOf(newest, accepted(active), rows(plan, another))).toBe(
    "evt_1 was accepted, and no row shows it.",
  );
  // Of two events of the same time, either is the newest.
  const sameTime = event("evt_7", "sim.suspended", 1);
  expect(problemOf(newest, accepted(active, sameTime), rows(active))).toBeUndefined();
});

test("a row may be missing once a later event that writes none was accepted", () => {
  expect(problemOf(newest, accepted(active, deleted))).toBeUndefined();
  expect(problemOf(newest, accepted(active, event("evt_4", "sim.deleted", 1)))).toBeUndefined();
  expect(
    problemOf(newest, accepted(active, event("evt_4", "sim.deleted", 5, { id: "sim_2" }))),
  ).toBe("evt_1 was accepted, and no row shows it.");
  // A row that is there must show the newest event.
  expect(problemOf(newest, accepted(suspended, deleted), rowOf(active))).toBe(
    "a row shows evt_1, although evt_2 is newer.",
  );
  const earlier = event("evt_0", "sim.deleted", 0);
  expect(problemOf(newest, accepted(active, earlier))).toBe(
    "evt_1 was accepted, and no row shows it.",
  );
});

test("an event without an id of its object is an object of its own", () => {
  const usage = event("evt_7", "usage.reported", 1, { bytes: 1 });
  expect(problemOf(newest, accepted(usage), { rows: new Map([["u", usage]]) })).toBeUndefined();
  const other = event("evt_8", "usage.reported", 2, { bytes: 2 });
  expect(problemOf(newest, accepted(usage), { rows: new Map([["u", other]]) })).toBe(
    "evt_7 was accepted, and no row shows it.",
  );
});

test("a row of the user's own database has an object, a time and perhaps a family", () => {
  const own = (row: object) => ({ ownRows: [row] }) as unknown as Partial<History>;
  const row = { object: "sim_1", created_at: at(1) };
  expect(problemOf(newest, accepted(active), own(row))).toBeUndefined();
  expect(problemOf(newest, accepted(suspended), own(row))).toBe(
    `a row shows sim_1 of ${at(1)}, although evt_2 is newer.`,
  );
  const date = new Date(at(1));
  expect(problemOf(newest, accepted(active), own({ ...row, created_at: date }))).toBeUndefined();
  expect(problemOf(newest, accepted(active), own({ ...row, family: "sim" }))).toBeUndefined();
  for (const other of [{ family: "plan" }, { object: "sim_2" }, { object: "sim_2", family: "sim" }])
    expect(problemOf(newest, accepted(active), own({ ...row, ...other }))).toBe(
      "evt_1 was accepted, and no row shows it.",
    );
  expect(() => problemOf(newest, accepted(active), own({ ...row, created_at: "soon" }))).toThrow(
    new TypeError(
      "rows() returned a created_at of sim_1 that is not a time: return that of the event, as a Date or an ISO 8601 string.",
    ),
  );
});

const lost = (id: string) => `${id} was accepted, and its effect "mail" never happened.`;

test("an event that is set aside is not lost, and makes no other outdated", () => {
  const setAside = new Set(["evt_1"]);
  expect(problemOf("nothing is lost", accepted(active), { setAside })).toBeUndefined();
  expect(problemOf(newest, accepted(active), { setAside })).toBeUndefined();
  const both = { setAside: new Set(["evt_2"]), ...effects() };
  expect(problemOf("nothing is lost", accepted(active, suspended), both)).toBe(lost("evt_1"));
});

test("an event of a type that leaves nothing makes no other outdated", () => {
  const unknown = event("evt_8", "sim.prove_happened", 5);
  expect(problemOf("nothing is lost", accepted(active, unknown))).toBe(
    `${lost("evt_1")} evt_8 is newer, but it leaves nothing, so no event may be dropped because of it.`,
  );
});

/** Events whose dates are wrong at minute 1, when they are seen and accepted. */
const future = event("evt_f", "sim.activated", 90);
const undated = { ...event("evt_u", "sim.activated", 0), created_at: "no date" };
const NOON = Date.UTC(2026, 10, 20, 8, 1);
const wrong = (each: EventEnvelope, more: Partial<History> = {}, minutes = 0) => ({
  deliveries: [{ event: each, status: 200, at: NOON + minutes * 60_000 }],
  more: { firstSeen: new Map([[each.id, NOON]]), ...more },
});

test.each([
  ["before its first claim", suspended.created_at, 0, undefined],
  ["long after it", at(20), 0, "evt_2"],
  ["before it was accepted", at(20), 15, undefined],
])(
  "an event may be dropped for one from the future if it was created %s",
  (_, created_at, minutes, id) => {
    const other = { ...suspended, created_at };
    const { deliveries, more } = wrong(future, effects("evt_f"), minutes);
    const all = [...accepted(other), ...deliveries];
    expect(problemOf("nothing is lost", all, more)).toBe(id && lost(id));
    const shown = { ...more, ...rowOf(future) };
    expect(problemOf(newest, all, shown)).toBe(id && "a row shows evt_f, although evt_2 is newer.");
    const own = { ...more, ownRows: [{ object: "sim_1", created_at: future.created_at }] };
    expect(problemOf(newest, all, own)).toBe(
      id && `a row shows sim_1 of ${future.created_at}, although evt_2 is newer.`,
    );
  },
);

test("an event without a date is never outdated, and makes no other outdated", () => {
  const none = wrong(undated);
  const [before, after] = [event("evt_b", "sim.activated", 0), event("evt_a", "sim.activated", 50)];
  const all = [...accepted(before), ...none.deliveries, ...accepted(after)];
  const mails = (...ids: string[]) => ({ ...none.more, ...effects(...ids) });
  expect(problemOf("nothing is lost", all, mails("evt_a", "evt_b"))).toBe(lost("evt_u"));
  const first = [...none.deliveries, ...accepted(before)];
  expect(problemOf("nothing is lost", first, mails("evt_u"))).toBe(lost("evt_b"));
  // It may be shown as long as nothing newer has come, and need not be.
  expect(problemOf(newest, first, { ...none.more, ...rowOf(undated) })).toBeUndefined();
  expect(problemOf(newest, first, { ...none.more, ...rowOf(before) })).toBeUndefined();
  const own = { ...none.more, ownRows: [{ object: "sim_1", created_at: "no date" }] };
  expect(problemOf(newest, first, own)).toBeUndefined();
  expect(problemOf(newest, all, own)).toBe(
    "a row shows sim_1 of no date, although evt_a is newer.",
  );
});
