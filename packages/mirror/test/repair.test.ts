import { describe, expect, test, vi } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import type { WebhookEvent } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { deliverTo, startMirrors } from "../../../tools/testing/mirrors.ts";

const { mirrors } = await startMirrors();

let events = 0;
const simAt = (id: string, hour: string, data: object = {}): WebhookEvent =>
  sampleEvent("sim.restored", {
    id: `evt_${(events += 1)}`,
    created_at: `2026-11-20T${hour}:00:00Z`,
    data: { object: { id, boost_mb: events }, ...data },
  } as object);

/** What a change by hand may do to a row, and the columns that then differ. */
const PLANTED: readonly (readonly [string, string])[] = [
  ['state = \'{"id": "sim_1"}\'', "state"],
  ["event_type = 'sim.suspended'", "event_type"],
  ["created_at = '2027-01-01T00:00:00.000Z'", "created_at"],
  ["created_at = '2025-01-01T00:00:00.000Z'", "created_at"],
  ["ambiguous = NOT ambiguous", "ambiguous"],
  ["deleted_at = created_at", "deleted_at"],
  ['previous = \'{"values": {}, "isPart": true}\'', "previous"],
  [
    'ties = \'[{"id": "evt_0", "type": "sim.restored", "time": "2020-01-01T00:00:00.000Z", "state": {}, "personal": null, "previous": null}]\'',
    "ties",
  ],
  ["subscribers = '[\"sub_1\"]'", "subscribers"],
];

describe.each(mirrors)("%s", (_name, create) => {
  test("every difference is found and repaired, and the others are left alone", async () => {
    const made = await create();
    const deliver = deliverTo(made);
    const all = PLANTED.map((_, at) => simAt(`sim_${at}`, "10"));
    for (const event of [...all, simAt("sim_dropped", "10")]) await deliver(event);
    for (const [at, [change]] of PLANTED.entries())
      await made.query(`UPDATE fieldmesh_mirror SET ${change} WHERE id = 'sim_${at}'`);
    const lost = simAt("sim_lost", "10");
    const preview = { ...all[0]!, data: { object: { amount: 1 } } };
    const list = [...all, lost, preview, { no: "event" }];
    const found = await made.mirror.verify(list);
    expect(found.differs.map(({ id, columns }) => `${id} ${columns.join(" ")}`).toSorted()).toEqual(
      PLANTED.map(([, column], at) => `sim_${at} ${column}`),
    );
    expect(found).toMatchObject({
      missing: [{ family: "sim", id: "sim_lost", livemode: false, columns: [] }],
      ambiguous: [],
      checked: PLANTED.length,
      notChecked: 1,
      events: list.length,
      withoutRow: 1,
      notParsed: 1,
    });
    const plan = await made.mirror.repair(list);
    // The plan has written nothing.
    expect((await made.mirror.verify(list)).differs).toHaveLength(PLANTED.length);
    expect(await made.mirror.apply(plan)).toEqual({
      written: PLANTED.length + 1,
      changedSince: [],
    });
    expect(await made.mirror.verify(list)).toMatchObject({
      differs: [],
      missing: [],
      notChecked: 1,
    });
    expect(await made.query("SELECT id FROM fieldmesh_mirror")).toHaveLength(PLANTED.length + 2);
  });

  test("an object whose event is ahead is named, and neither compared nor repaired", async () => {
    const made = await create();
    const clock = createVirtualClock("2026-11-20T12:00:00Z");
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const deliver = deliverTo(made, { clock, tolerance: Number.MAX_SAFE_INTEGER });
    const [claimed, unclaimed] = ["sim_1", "sim_2"].map((id) => ({
      ...simAt(id, "10"),
      created_at: "2026-11-21T12:00:00Z",
    })) as [WebhookEvent, WebhookEvent];
    const list = [claimed, unclaimed, simAt("sim_1", "11"), simAt("sim_3", "11")];
    expect(await deliver(claimed)).toBe("handled");
    expect(await deliver(list[2]!)).toBe("superseded");
    expect(await deliver(list[3]!)).toBe("handled");
    const [row] = await made.query("SELECT created_at FROM fieldmesh_mirror WHERE id = 'sim_1'");
    expect(new Date(String(row?.["created_at"])).getTime()).toBe(clock.now());
    const named = (id: string) => ({ family: "sim", id, livemode: false, columns: [] });
    const { report, changes } = await made.mirror.repair(list, { clock });
    expect(report).toMatchObject({ differs: [], missing: [], checked: 1, notChecked: 0 });
    expect(report.wrongDates).toEqual([named("sim_1"), named("sim_2")]);
    expect(changes).toEqual([]);
    // Its table knows the event that was claimed, also when its date has passed.
    await clock.advance(2 * 86_400_000);
    expect(await made.again().verify(list, { clock })).toMatchObject({
      differs: [],
      missing: [named("sim_2")],
      wrongDates: [named("sim_1")],
    });
  });

  test("an erasure that is ahead clears what was there when it was claimed, and nothing later", async () => {
    const made = await create({ personal: ["psim_order.email"] });
    const clock = createVirtualClock("2026-11-20T12:00:00Z");
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const deliver = deliverTo(made, { clock, tolerance: Number.MAX_SAFE_INTEGER });
    const eventAt = (type: "psim_order.created" | "subscriber.redacted", created_at: string) => {
      const isOrder = type === "psim_order.created";
      const order = { id: "ord_1", subscriber_id: "sub_1", email: "a@example.com" };
      const object = isOrder ? order : { id: "sub_1" };
      const id = `evt_${(events += 1)}`;
      return sampleEvent(type, { id, created_at, data: { object } } as object);
    };
    const personal = async () =>
      JSON.stringify(await made.query("SELECT personal FROM fieldmesh_mirror"));
    expect(await deliver(eventAt("psim_order.created", "2026-11-20T11:00:00Z"))).toBe("handled");
    expect(await personal()).toContain("a@example.com");
    expect(await deliver(eventAt("subscriber.redacted", "2030-11-20T12:00:00Z"))).toBe("handled");
    expect(await personal()).not.toContain("a@example.com");
    await clock.advance(1_000);
    expect(await deliver(eventAt("psim_order.created", "2026-11-20T12:00:01Z"))).toBe("handled");
    expect(await personal()).toContain("a@example.com");
  });

  test("an old state is repaired, and a newer one than the list has is left alone", async () => {
    const made = await create();
    const deliver = deliverTo(made);
    const [older, newer] = [simAt("sim_1", "10"), simAt("sim_1", "11")];
    await deliver(older);
    const [listed, notListed] = [simAt("sim_2", "10"), simAt("sim_2", "11")];
    for (const event of [listed, notListed]) await deliver(event);
    const list = [older, newer, listed];
    const plan = await made.mirror.repair(list);
    expect(plan.changes.map(({ id }) => id)).toEqual(["sim_1"]);
    expect(plan.report).toMatchObject({ checked: 1, notChecked: 1 });
    await made.mirror.apply(plan);
    const rows = await made.query("SELECT id, event_id FROM fieldmesh_sims ORDER BY id");
    expect(rows.map(({ event_id }) => event_id)).toEqual([newer.id, notListed.id]);
  });

  test("a repair whose statement fails is undone, and the next one works", async () => {
    const made = await create();
    const lost = simAt("sim_1", "10");
    const plan = await made.mirror.repair([lost]);
    await made.query("ALTER TABLE fieldmesh_mirror RENAME TO elsewhere");
    await expect(made.mirror.apply(plan)).rejects.toThrow("no tables of a mirror");
    await made.query("ALTER TABLE elsewhere RENAME TO fieldmesh_mirror");
    expect(await made.mirror.apply(plan)).toEqual({ written: 1, changedSince: [] });
  });

  test("apply leaves a row alone that has changed since, or was created", async () => {
    const made = await create();
    const deliver = deliverTo(made);
    const [first, second] = [simAt("sim_1", "10"), simAt("sim_1", "11")];
    await deliver(first);
    const lost = simAt("sim_2", "10");
    const plan = await made.mirror.repair([first, second, lost]);
    const newest = [simAt("sim_1", "12"), simAt("sim_2", "12")];
    for (const event of newest) await deliver(event);
    const { written, changedSince } = await made.mirror.apply(plan);
    expect({ written, changed: changedSince.map(({ id }) => id) }).toEqual({
      written: 0,
      changed: ["sim_1", "sim_2"],
    });
    const rows = await made.query("SELECT event_id FROM fieldmesh_sims ORDER BY id");
    expect(rows.map(({ event_id }) => event_id)).toEqual(newest.map(({ id }) => id));
  });

  test("rows in doubt are listed, and a repair does not choose", async () => {
    const made = await create();
    const deliver = deliverTo(made);
    const pair = [simAt("sim_1", "10"), simAt("sim_1", "10")];
    for (const event of pair) await deliver(event);
    const plan = await made.mirror.repair(pair);
    expect(plan).toMatchObject({
      changes: [],
      report: { ambiguous: [{ id: "sim_1" }], checked: 1 },
    });
    // One of the pair was never delivered.
    await made.query("DELETE FROM fieldmesh_mirror");
    await deliver(simAt("sim_9", "10"));
    const again = await made.again().repair([...pair, simAt("sim_9", "10")]);
    expect(again.changes).toHaveLength(2);
  });

  test("an erasure in live mode is none in test mode", async () => {
    const made = await create({ personal: ["sim.msisdn"] });
    const deliver = deliverTo(made);
    const object = { id: "sim_1", subscriber_id: "sub_1", msisdn: "5551234" };
    const [live, tested] = [simAt("", "10", { object }), simAt("", "10", { object })];
    const erasure = sampleEvent("subscriber.redacted", {
      id: "evt_erasure",
      created_at: "2026-11-20T11:00:00Z",
      livemode: true,
      data: { object: { id: "sub_1" } },
    } as object);
    const later = simAt("", "12", { object: { ...object, id: "sim_2" } });
    const list = [
      { ...later, livemode: true },
      { ...live, livemode: true },
      { ...tested, livemode: false },
      erasure,
    ] as WebhookEvent[];
    for (const event of list) await deliver(event);
    expect(await made.mirror.verify(list)).toMatchObject({ differs: [], missing: [], checked: 4 });
    const { changes } = await made.again({ personal: ["sim.msisdn"] }).repair(list);
    expect(changes).toEqual([]);
  });

  test("verify reads every row of a large table once", async () => {
    const made = await create();
    const event = simAt("sim_1", "10");
    await deliverTo(made)(event);
    await made.query(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO fieldmesh_mirror SELECT tenant, family, 'copy_' || i, livemode, event_id, event_type, created_at,
        ambiguous, deleted_at, state, personal, previous, ties, subscribers, placement FROM fieldmesh_mirror, n`);
    expect(await made.mirror.verify([event])).toMatchObject({ checked: 1, notChecked: 1_200 });
  });

  test("the events of another service, and the plan of another mirror, are rejected", async () => {
    const made = await create();
    await deliverTo(made)(simAt("sim_1", "10"));
    await expect(made.mirror.repair([simAt("sim_of_others", "10")])).rejects.toThrow(
      "None of the 1 rows has a stored event",
    );
    const plan = await made.mirror.repair([]);
    await expect(made.again().apply(plan)).rejects.toThrow(
      "requires a plan that repair of this mirror",
    );
    await expect(made.mirror.apply({ ...plan })).rejects.toThrow(TypeError);
    await expect(made.mirror.verify(undefined as never)).rejects.toThrow(
      "verify requires a list of events, not undefined. Pass client.events.list().",
    );
    await expect(made.mirror.verify([], { tenants: "a" } as never)).rejects.toThrow("tenants");
  });
});
