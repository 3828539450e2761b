import { describe, expect, test } from "vitest";
import { fixtureSecret } from "../../../tools/canaries/canaries.ts";
import { dataSchemas } from "../../webhook-types/src/events/generated/data-schemas.ts";
import { eventTypes } from "../../webhook-types/src/events/event-types.ts";
import type { EventType, WebhookEvent } from "@fieldmesh/webhook-types";
import { type MirrorOptions, personalFields } from "../src/index.ts";
import { createEventParser } from "@fieldmesh/webhook-types/parse";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { deliverTo, startMirrors, type TestMirror } from "../../../tools/testing/mirrors.ts";

const { mirrors, server, throughPg, throughSqlite } = await startMirrors();

// A string of the tests that must not reach a table, unless a test stores it deliberately.
const TEXT = "x@example.com";
const MARK = "+12025550199";
let events = 0;
const event = (type: EventType, at: string, object: object, data: object = {}): WebhookEvent =>
  sampleEvent(type, {
    id: `evt_${(events += 1)}`,
    created_at: `2026-11-20T${at}:00Z`,
    data: { object, ...data },
  } as object);
const dump = async (made: TestMirror): Promise<string> =>
  JSON.stringify([
    await made.query("SELECT * FROM fieldmesh_mirror"),
    await made.query("SELECT * FROM fieldmesh_mirror_subscribers"),
  ]);

/** An object in which every field, declared or not, has the same string. */
function filled(type: EventType): object {
  const shapeOf = (schema: unknown): object => {
    const { def } = (
      schema as { readonly _zod: { readonly def: Readonly<Record<string, unknown>> } }
    )._zod;
    if (def["innerType"] !== undefined) return shapeOf(def["innerType"]);
    return def["type"] === "object" ? (def["shape"] as object) : {};
  };
  const fill = (schema: unknown): unknown => {
    const fields = Object.entries(shapeOf(schema));
    return fields.length === 0
      ? TEXT
      : Object.fromEntries(fields.map(([name, field]) => [name, fill(field)]));
  };
  const { object } = shapeOf(dataSchemas[type]()) as { object: unknown };
  return fill(object) as object;
}

test("of no event type, a mirror stores codes, links, PINs, or personal fields that are not named", async () => {
  const made = await throughSqlite();
  const extra = { activation_code: TEXT, port_out_pin: TEXT };
  const plan = await made.mirror.repair(
    eventTypes.map((type) => ({
      id: type,
      type,
      created_at: "2026-11-20T10:00:00Z",
      livemode: true,
      idempotency_key: "i",
      data: {
        ...filled(type),
        ...extra,
        object: { ...filled(type), ...extra, id: type },
        previous_attributes: { ...filled(type), ...extra },
      },
    })),
  );
  expect(await made.mirror.apply(plan)).toEqual({ written: eventTypes.length, changedSince: [] });
  for (const row of await made.query("SELECT * FROM fieldmesh_mirror")) {
    const { values } = JSON.parse(String(row["previous"])) as { values: object };
    const family = String(row["family"]);
    const stored = [values, JSON.parse(String(row["state"]))].flatMap((each) =>
      pathsIn(each, family),
    );
    expect(stored.filter((path) => PERSONAL.has(path))).toEqual([]);
    expect(stored.filter((path) => NEVER.test(path))).toEqual([]);
    expect(row["personal"]).toBe(null);
  }
});

const PERSONAL = new Set<string>(personalFields);
const NEVER = /activation_code|_url$|^cpni\.code$|(^|_)pin(_|$)/;

function pathsIn(value: unknown, path: string): string[] {
  return Object.entries(Object(value) as object).flatMap(([name, member]) => [
    `${path}.${name}`,
    ...(typeof member === "object" ? pathsIn(member, `${path}.${name}`) : []),
  ]);
}

describe.each(mirrors)("%s", (_name, create) => {
  test("a code is not stored where another field repeats it, nor where a parser of the user reveals it", async () => {
    const made = await create();
    const schema = {
      "~standard": {
        version: 1,
        vendor: "x",
        validate: (value: unknown) => {
          const { activation_code: code, ...rest } = value as { activation_code: string };
          return { value: { ...rest, code, text: `install ${code}` } };
        },
      },
    };
    const parse = createEventParser({ "sim.activated": schema as never });
    const deliver = deliverTo(made, { parse: parse as never });
    const activation_code = fixtureSecret;
    const object = { id: "sim_1", activation_code, note: `install ${activation_code}` };
    const sent = event("sim.activated", "10:00", object);
    expect(await deliver(sent)).toBe("handled");
    expect(await dump(made)).not.toContain(fixtureSecret);
    expect(await dump(made)).toContain("install [redacted]");
    // The stored event lacks the code, and still has what repeats it.
    const stored = {
      ...event("sim.activated", "10:00", {
        id: "sim_1",
        activation_code: undefined,
        note: `install ${activation_code}`,
      }),
      id: sent.id,
    };
    const plan = await made.mirror.repair([stored]);
    expect(plan).toMatchObject({ changes: [], report: { checked: 1 } });
  });

  test("only the personal fields that are named are stored, beside the state", async () => {
    const made = await create({ personal: ["sim.msisdn", "cpni.agent.email", "address.*"] });
    const deliver = deliverTo(made);
    await deliver(
      event("sim.restored", "10:00", {
        id: "sim_1",
        msisdn: MARK,
        external_subscriber_id: "x@example.com",
      }),
    );
    await deliver(
      event("sim.port_out_pin_generated", "11:00", {
        id: "sim_2",
        msisdn: MARK,
        secret_number: "4711",
      }),
    );
    await deliver(event("address.updated", "10:00", { id: "adr_1", city: "Springfield" }));
    await deliver(event("cpni.verification.requested", "10:00", { id: "cpni_1" }));
    const rows = await made.query(
      "SELECT id, CAST(personal AS text) AS personal, CAST(state AS text) AS state FROM fieldmesh_mirror ORDER BY id",
    );
    const personal = Object.fromEntries(
      rows.map((row) => [row["id"], JSON.parse(String(row["personal"])) as unknown]),
    );
    expect(personal).toEqual({
      adr_1: { city: "Springfield" },
      cpni_1: { "agent.email": "grace@support.example.com" },
      sim_1: { msisdn: MARK },
      sim_2: { msisdn: MARK },
    });
    expect(JSON.stringify(rows.map(({ state }) => state))).not.toMatch(
      /example\.com|\+1202|Springfield|4711/,
    );
    expect(
      (await made.query("SELECT msisdn FROM fieldmesh_sims")).map(({ msisdn }) => msisdn),
    ).toEqual([MARK, MARK]);
  });

  test("an update of a subscriber erases nothing, also of older events that arrive after it", async () => {
    const made = await create({ personal: ["sim.msisdn"] });
    const deliver = deliverTo(made);
    await deliver(event("subscriber.updated", "11:00", { id: "sub_1" }));
    const older = { id: "sim_1", msisdn: MARK, subscriber_id: "sub_1" };
    expect(await deliver(event("sim.restored", "09:00", older))).toBe("handled");
    expect(await dump(made)).toContain(MARK);
  });

  describe.each(["subscriber.redacted", "subscriber.deleted"] as const)("%s", (type) => {
    const personal: MirrorOptions = { personal: ["sim.msisdn", "psim_order.email"] };
    const old = event("sim.restored", "09:00", {
      id: "sim_1",
      msisdn: MARK,
      subscriber_id: "sub_1",
    });
    const erasure = event(type, "10:00", { id: "sub_1" });
    const lost = event("psim_order.created", "09:30", {
      id: "ord_1",
      email: "x@example.com",
      subscriber: { id: "sub_1" },
    });
    const other = event("sim.restored", "09:00", {
      id: "sim_2",
      msisdn: "+12025550100",
      subscriber_id: "sub_2",
      holder_subscriber_id: "sub_2",
    });
    const leaks = /\+12025550199|x@example/;

    test("clears the rows of the subscriber, and no older event, catch-up, verify or repair undoes it", async () => {
      const made = await create(personal);
      const deliver = deliverTo(made);
      for (const each of [old, other]) await deliver(each);
      expect(await dump(made)).toContain(MARK);
      await deliver(erasure);
      expect(await dump(made)).not.toMatch(leaks);
      expect(await dump(made)).toContain("+12025550100");
      // An older event of an object that has no row yet, and of the same one after the inbox has forgotten it.
      await deliver(lost);
      await made.query("DELETE FROM fieldmesh_events");
      await deliver(old);
      expect(await dump(made)).not.toMatch(leaks);
      const all = [old, erasure, lost, other];
      expect(await made.mirror.verify(all)).toMatchObject({ differs: [], missing: [], checked: 4 });
      await made.query("DELETE FROM fieldmesh_mirror WHERE id IN ('sim_1', 'ord_1')");
      // The service may have dropped the erasure.
      await made.mirror.apply(await made.mirror.repair([old, lost, other]));
      expect(await dump(made)).not.toMatch(leaks);
      expect(await dump(made)).toContain("+12025550100");
      expect(await made.query("SELECT id FROM fieldmesh_mirror")).toHaveLength(4);
    });

    test("clears them although a newer event of the subscriber has arrived before, and newer fields stay", async () => {
      const made = await create(personal);
      const deliver = deliverTo(made);
      await deliver(event("subscriber.updated", "11:00", { id: "sub_1" }));
      await deliver(old);
      await deliver(
        event("sim.restored", "12:00", {
          id: "sim_3",
          msisdn: "+12025550111",
          subscriber_id: "sub_1",
        }),
      );
      expect(await deliver(erasure)).toBe("superseded");
      expect(await dump(made)).not.toMatch(leaks);
      expect(await dump(made)).toContain("+12025550111");
    });

    test("is repaired if it never arrived", async () => {
      const made = await create(personal);
      const deliver = deliverTo(made);
      await deliver(old);
      await deliver(event("subscriber.updated", "11:00", { id: "sub_1" }));
      const all = [old, erasure, event("subscriber.updated", "11:00", { id: "sub_1" })];
      const plan = await made.mirror.repair(all);
      expect(plan.changes.map(({ id }) => id).toSorted()).toEqual(["sim_1", "sub_1"]);
      expect(await made.mirror.apply(plan)).toMatchObject({ changedSince: [] });
      expect(await dump(made)).not.toMatch(leaks);
      expect(await made.mirror.verify(all)).toMatchObject({ differs: [], missing: [] });
    });

    test("clears all versions of the same time", async () => {
      const made = await create(personal);
      const deliver = deliverTo(made);
      await deliver(old);
      await deliver(
        event("sim.restored", "09:00", {
          id: "sim_1",
          msisdn: "+12025550198",
          subscriber_id: "sub_1",
        }),
      );
      await deliver(erasure);
      expect(await dump(made)).not.toMatch(/\+1202/);
    });
  });

  test("a webhook has more than the stored event: verify and repair keep the recipient of an order", async () => {
    const made = await create({ personal: ["psim_order.email"] });
    const sent = event("psim_order.created", "09:30", { id: "ord_1", email: "x@example.com" });
    await deliverTo(made)(sent);
    const stored = { ...sent, data: { object: { ...sent.data.object, email: null } } };
    expect(await made.mirror.verify([stored])).toMatchObject({ differs: [], checked: 1 });
    await made.query("UPDATE fieldmesh_mirror SET state = '{}'");
    await made.mirror.apply(await made.mirror.repair([stored]));
    expect(await dump(made)).toContain("x@example.com");
  });
});

test.runIf(server.url !== undefined)(
  "an erasure waits for the events that are writing personal fields of its subscriber",
  async () => {
    const made = await throughPg({ personal: ["sim.msisdn"] });
    const deliver = deliverTo(made, {
      // The transaction stays open for a while after the mirror has written.
      handlers: { "sim.*": () => new Promise((resolve) => setTimeout(resolve, 200)) },
    });
    const all = Array.from({ length: 5 }, (_, at) =>
      event("sim.restored", "09:00", { id: `sim_${at}`, msisdn: MARK, subscriber_id: "sub_1" }),
    );
    const erasure = event("subscriber.redacted", "10:00", { id: "sub_1" });
    const outcomes = await Promise.all(
      [...all, erasure].map(async (each) => {
        for (;;) {
          const outcome = await deliver(each);
          if (outcome !== "in_progress") return outcome;
        }
      }),
    );
    expect(new Set(outcomes)).toEqual(new Set(["handled"]));
    expect(await dump(made)).not.toContain(MARK);
  },
);
