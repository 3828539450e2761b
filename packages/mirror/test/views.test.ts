import { expect, describe, test } from "vitest";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import * as z from "@fieldmesh/core/internal/zod";
import { dataSchemas } from "../../webhook-types/src/events/generated/data-schemas.ts";
import { eventData, maybeNumber, maybeString } from "../../webhook-types/src/events/fields.ts";
import { Sim } from "../../webhook-types/src/events/schemas/sim.ts";
import { migrationOf, startMirrors } from "../../../tools/testing/mirrors.ts";
import { makeViews } from "../tools/make-views.ts";

const { mirrors } = await startMirrors();

/** The schemas of a release whose SIMs have two fields more. */
const later = {
  ...dataSchemas,
  "sim.restored": () =>
    eventData(z.extend(Sim(), { roaming_mb: maybeNumber(), full_name: maybeString() })),
};
/** And those of one whose SIMs have no field but the id and a new one. */
const smaller = {
  "sim.restored": () => eventData(z.looseObject({ roaming_mb: maybeNumber() })),
};

const sim = (id: string, object: object) =>
  sampleEvent("sim.restored", { id: `evt_${id}`, data: { object: { id, ...object } } } as object);

describe.each(mirrors)("%s", (_name, create, database) => {
  test("a schema with one more field changes the views, and not the migrations", async () => {
    expect(migrationOf(database)).not.toMatch(/\bVIEW\b/);
    const made = await create({ undeclared: ["sim.full_name"] });
    await made.mirror.apply(
      await made.mirror.repair([sim("sim_1", { roaming_mb: 12.5, full_name: "Ada" })]),
    );
    const read = async () => (await made.query("SELECT * FROM fieldmesh_sims"))[0] ?? {};
    const before = await read();
    expect(before).not.toHaveProperty("roaming_mb");
    await made.run(makeViews(database, later));
    const after = await read();
    expect(after).toMatchObject({ ...before, full_name: "Ada" });
    expect(Number(after["roaming_mb"])).toBe(12.5);
    // Fields also go, and others get their place.
    await made.run(makeViews(database, smaller));
    expect(Object.keys(await read()).slice(0, 5)).toEqual([
      "tenant",
      "livemode",
      "id",
      "roaming_mb",
      "event_id",
    ]);
  });

  test("a value of another type than the schema has does not break a view", async () => {
    const made = await create({ personal: ["sim.msisdn"] });
    const plan = await made.mirror.repair([
      sim("sim_1", { boost_mb: 12.5, scam_block_enabled: true, metadata: { a: 1 } }),
      sim("sim_2", { boost_mb: "odd", scam_block_enabled: 7, metadata: null }),
    ]);
    await made.mirror.apply(plan);
    const rows = await made.query(
      "SELECT msisdn, boost_mb, scam_block_enabled, deleted_at FROM fieldmesh_sims ORDER BY id",
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ msisdn: "+12025550143", deleted_at: null });
    expect(Number(rows[0]?.["boost_mb"])).toBe(12.5);
    expect(Boolean(rows[0]?.["scam_block_enabled"])).toBe(true);
  });

  test("no view has a column for a code", async () => {
    expect(makeViews(database)).toContain("boost_mb_removed");
    expect(makeViews(database)).not.toMatch(/activation_code|port_pin/);
  });
});
