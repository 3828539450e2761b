import { describe, expect, test } from "vitest";
import type { WebhookEvent } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { deliverTo, startMirrors } from "../../../tools/testing/mirrors.ts";

// The rule of the contract about mirrors: who uses a SIM, and to which subscription a mirror points.

const { mirrors } = await startMirrors();

type Build = (sim: string) => WebhookEvent;
type SimType = "sim.linked" | "sim.cleared" | "sim.reassigned" | "sim.suspended" | "sim.swapped";

const at =
  (hour: string, type: SimType, object: object, previous_attributes?: object): Build =>
  (sim) => ({
    ...sampleEvent(type, { id: `evt_${sim}_${hour}`, created_at: `2026-11-20T${hour}:00:00Z` }),
    data: { object: { id: sim, ...object }, previous_attributes } as never,
  });
const place = (
  subscriber_id: string | null,
  subscription_id: string | null,
  more: object = {},
) => ({
  subscriber_id,
  subscription_id,
  subscription_status: "active",
  ...more,
});

const linked = at("09", "sim.linked", place("member", "A"));
const moved = at(
  "10",
  "sim.reassigned",
  place("payer", "B", { holder_subscriber_id: "member" }),
  place("payer", "A", { subscription_status: "past_due" }),
);
const suspended = at("11", "sim.suspended", place("payer", "B"));
const movedAgain = at(
  "12",
  "sim.reassigned",
  place("payer", "C", { holder_subscriber_id: "other", subscription_status: "draft" }),
  place("payer", "B"),
);
const reused = at(
  "13",
  "sim.reassigned",
  place("payer", "D", { holder_subscriber_id: "other" }),
  place("payer", "C", { subscription_status: "canceled" }),
);
const swapped = at("14", "sim.swapped", place("payer", "D", { subscription_status: "paused" }));
const cleared = at("15", "sim.cleared", place("payer", "D"), place("payer", "D"));
const synced = at("16", "sim.suspended", { state: "provisioned" });
const linkedAgain = at("17", "sim.linked", place("third", null, { subscription_status: null }));

const ON_LINE = { holder_subscriber_id: "member", subscription_line_id: "line_1" };
const onNoLine = at("11", "sim.suspended", place("payer", "B", { subscription_line_id: null }));

const HISTORIES: readonly (readonly [string, readonly Build[], string])[] = [
  ["a link to a member", [linked], "member A active"],
  [
    "the payer in a later event of a linked line",
    [linked, at("11", "sim.suspended", place("payer", "A"))],
    "member A active",
  ],
  ["a move of which no event is known", [linked, suspended], "payer B active"],
  ["a move away from a subscription that goes on", [linked, moved], "member A past_due"],
  ["what comes after such a move", [moved, suspended], "member A past_due"],
  [
    "a later event whose line is null",
    [at("10", "sim.reassigned", place("payer", "B", ON_LINE)), onNoLine],
    "member B active",
  ],
  ["two such moves", [linked, moved, movedAgain], "other A past_due"],
  ["a move whose beginning is not known", [movedAgain], "other B active"],
  ["a move after one that is not known", [linked, movedAgain], "other B active"],
  ["a new subscription after a canceled one", [moved, movedAgain, reused], "other D active"],
  ["a swap that shows the payer only", [moved, reused, swapped], "other D paused"],
  ["a release", [moved, reused, cleared], "null null null"],
  ["what comes after a release", [reused, cleared, synced], "null null null"],
  ["a link after a release", [reused, cleared, linkedAgain], "third null null"],
  [
    "a first subscription",
    [cleared, linkedAgain, at("18", "sim.reassigned", place("third", "E"), place("third", null))],
    "third E active",
  ],
  [
    "a status that is spelled as in the contract",
    [at("10", "sim.reassigned", place("x", "B"), { subscription_status: "cancelled" })],
    "x B active",
  ],
  ["previous values that are missing", [at("10", "sim.reassigned", place("x", "B"))], "x B active"],
];

function* ordersOf<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries())
    for (const rest of ordersOf(items.toSpliced(index, 1))) yield [item, ...rest];
}

describe.each(mirrors)("%s", (_name, create) => {
  test.each(HISTORIES)("%s, in every order and twice", async (_what, history, expected) => {
    const made = await create();
    const deliver = deliverTo(made);
    const all: WebhookEvent[] = [];
    for (const [number, order] of [...ordersOf(history)].entries()) {
      const events = order.map((build) => build(`sim_${number}`));
      for (const event of [...events, ...events]) await deliver(event);
      all.push(...events);
    }
    const rows = await made.query("SELECT * FROM fieldmesh_sims");
    const shown = rows.map((row) =>
      ["user_id", "mirrored_subscription_id", "mirrored_subscription_status"]
        .map((column) => String(row[column]))
        .join(" "),
    );
    expect(new Set(shown)).toEqual(new Set([expected]));
    // The declared fields are as received.
    const { subscriber_id = null } = history.at(-1)!("sim").data.object as {
      subscriber_id?: string;
    };
    expect(new Set(rows.map((row) => row["subscriber_id"]))).toEqual(new Set([subscriber_id]));
    expect(await made.mirror.verify(all)).toMatchObject({ differs: [], missing: [] });
    // A new mirror that is filled from the list has the same rows.
    const other = await create();
    await other.mirror.apply(await other.mirror.repair(all));
    const columns = "SELECT id, state, placement, ties FROM fieldmesh_mirror ORDER BY id";
    expect(await other.query(columns)).toEqual(await made.query(columns));
  });

  test("verify finds a placement that was changed, and repair writes it", async () => {
    const made = await create();
    await deliverTo(made)(moved("sim_1"));
    await made.query("UPDATE fieldmesh_mirror SET placement = NULL");
    const plan = await made.mirror.repair([moved("sim_1")]);
    expect(plan.changes).toMatchObject([{ id: "sim_1", columns: ["placement"] }]);
    await made.mirror.apply(plan);
    expect(await made.query("SELECT user_id FROM fieldmesh_sims")).toEqual([{ user_id: "member" }]);
  });

  test("of what an older event showed, only what places the SIM is kept", async () => {
    const made = await create({ personal: ["sim.msisdn"] });
    const deliver = deliverTo(made);
    const older = moved("sim_1");
    Object.assign(older.data.object as object, { msisdn: "5551234", boost_mb: 7 });
    for (const event of [older, suspended("sim_1")]) await deliver(event);
    const [row] = await made.query("SELECT CAST(ties AS text) AS ties FROM fieldmesh_mirror");
    expect(String(row?.["ties"])).toContain("holder_subscriber_id");
    expect(String(row?.["ties"])).not.toMatch(/5551234|boost_mb/);
    // Those before a new start are not kept at all.
    await deliver(linkedAgain("sim_1"));
    expect(await made.query("SELECT ties FROM fieldmesh_mirror")).toEqual([{ ties: null }]);
  });
});
