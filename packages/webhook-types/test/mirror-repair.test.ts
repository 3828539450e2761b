import { describe, expect, test } from "vitest";
import type { WebhookEvent } from "../src/index.ts";
import { sampleEvent } from "../src/samples/index.ts";
import { deliverTo, startMirrors } from "./mirrors.ts";

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

  test("a mirror is filled from the stored events", async () => {
    const made = await create();
    const list = Array.from({ length: 20 }, (_, at) => simAt(`sim_${at}`, "10"));
    const plan = await made.mirror.repair(list);
    expect(await made.mirror.apply(plan)).toMatchObject({ written: 20 });
    expect(await made.mirror.verify(list)).toMatchObject({ checked: 20, differs: [], missing: [] });
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
        ambiguous, deleted_at, state, personal, previous, ties, subscribers FROM fieldmesh_mirror, n`);
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
