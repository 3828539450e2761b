import { describe, expect, test } from "vitest";
import { fixtureSecret } from "../../../tools/canaries/canaries.ts";
import { signedRequest, type WebhookEvent } from "@fieldmesh/webhook-types";
import { createReceiver } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { inboxOrderTests } from "@fieldmesh/webhook-types/store-tests";
import { deliverTo, startMirrors } from "../../../tools/testing/mirrors.ts";

const { mirrors } = await startMirrors();

let events = 0;
type SimType = "sim.suspended" | "sim.restored" | "sim.activated";
const sim = (
  type: SimType,
  at: string,
  state: string,
  { id = `evt_${(events += 1)}`, before }: { id?: string; before?: object | undefined } = {},
): WebhookEvent =>
  sampleEvent(type, {
    id,
    created_at: `2026-11-20T${at}Z`,
    data: { object: { id: "sim_1", state }, previous_attributes: before },
  } as object);
const plan = (type: "plan.created" | "plan.updated" | "plan.deleted", at: string): WebhookEvent =>
  sampleEvent(type, {
    id: `evt_${(events += 1)}`,
    created_at: `2026-11-20T${at}Z`,
    data: { object: { id: "plan_1", name: at } },
  } as object);

describe.each(mirrors)("%s", (_name, create) => {
  test.each(
    inboxOrderTests(async () => {
      const { inbox, mirror } = await create();
      return { inbox, order: mirror };
    }),
  )("as an order: $name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  test("a row shows the newest event, whichever arrives last, and handlers run beside it", async () => {
    const made = await create();
    const handled: string[] = [];
    const deliver = deliverTo(made, {
      handlers: { "sim.*": ({ type }, { order }) => void handled.push(`${type} ${order}`) },
    });
    expect(await deliver(sim("sim.suspended", "10:00:00", "suspended", { id: "evt_new" }))).toBe(
      "handled",
    );
    expect(await deliver(sim("sim.activated", "09:00:00", "active"))).toBe("superseded");
    expect(handled).toEqual(["sim.suspended newest"]);
    expect(
      await made.query("SELECT id, state, subscriber_id, event_id, event_type FROM fieldmesh_sims"),
    ).toEqual([
      {
        id: "sim_1",
        state: "suspended",
        subscriber_id: "sub_01JD3Y7Q4W8TQ2",
        event_id: "evt_new",
        event_type: "sim.suspended",
      },
    ]);
  });

  test("an event that its receiver does not check is recorded, too", async () => {
    const made = await create();
    const { livemode: _, ...event } = sim("sim.suspended", "10:00:00", "suspended");
    expect(await deliverTo(made, { validation: "off" })(event as never)).toBe("handled");
    const rows = await made.query("SELECT id, livemode FROM fieldmesh_mirror");
    expect(rows.map(({ id, livemode }) => [id, Number(livemode)])).toEqual([["sim_1", 0]]);
  });

  test("what a mirror wrote is undone with the handlers of its event", async () => {
    const made = await create();
    const deliver = deliverTo(made, {
      onError: () => {},
      handlers: {
        "sim.*": () => {
          throw new Error("not yet");
        },
      },
    });
    expect(await deliver(sim("sim.suspended", "10:00:00", "suspended"))).toBe("failed");
    expect(await made.query("SELECT * FROM fieldmesh_mirror")).toEqual([]);
  });

  test("the row of a deleted object stays, and a newer event revives it", async () => {
    const made = await create();
    const deliver = deliverTo(made);
    const deleted = async () =>
      (await made.query("SELECT deleted_at IS NOT NULL AS gone FROM fieldmesh_mirror")).map(
        ({ gone }) => Boolean(gone),
      );
    await deliver(plan("plan.deleted", "10:00:00"));
    expect(await deliver(plan("plan.updated", "09:00:00"))).toBe("superseded");
    expect(await deleted()).toEqual([true]);
    await deliver(plan("plan.updated", "11:00:00"));
    expect(await deleted()).toEqual([false]);
  });

  test("two events of the same time are in doubt, unless the previous values of one are the other's", async () => {
    const made = await create();
    const deliver = deliverTo(made);
    const row = async () => {
      const [found] = await made.query("SELECT state, ambiguous FROM fieldmesh_sims");
      return `${String(found?.["state"])} ${Boolean(found?.["ambiguous"])}`;
    };
    // No previous values: the greatest id is shown, whichever arrives last.
    await deliver(sim("sim.restored", "10:00:00", "active", { id: "evt_b" }));
    await deliver(sim("sim.suspended", "10:00:00", "suspended", { id: "evt_a" }));
    expect(await row()).toBe("active true");
    // They chain, and the earlier one arrives last.
    await deliver(
      sim("sim.suspended", "11:00:00", "suspended", { id: "evt_d", before: { state: "active" } }),
    );
    expect(
      await deliver(
        sim("sim.activated", "11:00:00", "active", {
          id: "evt_e",
          before: { state: "provisioned" },
        }),
      ),
    ).toBe("handled");
    expect(await row()).toBe("suspended false");
    // They chain both ways.
    await deliver(
      sim("sim.suspended", "12:00:00", "suspended", { id: "evt_g", before: { state: "active" } }),
    );
    await deliver(
      sim("sim.restored", "12:00:00", "active", { id: "evt_h", before: { state: "suspended" } }),
    );
    expect(await row()).toBe("active true");
  });

  test("the environments and the tenants have rows of their own", async () => {
    const made = await create();
    const secret = fixtureSecret;
    const receive = createReceiver({
      secret: { tenantOf: ({ url }) => url.slice(1), secretsOf: () => secret },
      store: made.inbox,
      order: made.mirror,
      handlers: {},
    });
    for (const tenant of ["a", "b/c"])
      for (const livemode of [true, false]) {
        const event = { ...sim("sim.restored", "10:00:00", "active"), livemode };
        const url = `http://127.0.0.1/${encodeURIComponent(tenant)}`;
        await receive(await signedRequest(event, { url, secret }));
      }
    const rows = await made.query(
      "SELECT tenant, id FROM fieldmesh_sims ORDER BY tenant, livemode",
    );
    expect(rows.map(({ tenant, id }) => `${String(tenant)} ${String(id)}`)).toEqual([
      "a sim_1",
      "a sim_1",
      "b%2Fc sim_1",
      "b%2Fc sim_1",
    ]);
  });

  test.each([
    ["NUL", "plan_\0"],
    ["10 kB", Array.from({ length: 300 }, () => crypto.randomUUID()).join("")],
  ])("an object whose id has %s has no row, and is reported", async (_what, id) => {
    const made = await create();
    const event = sampleEvent("plan.updated", { data: { object: { id } } });
    expect(await deliverTo(made)(event)).toBe("handled");
    const other = plan("plan.updated", "10:00:00");
    expect(await made.mirror.verify([event, other])).toMatchObject({
      missing: [{ id: "plan_1" }],
      withoutRow: 1,
    });
    expect(await made.query("SELECT id FROM fieldmesh_mirror")).toEqual([]);
  });

  test("a field that data has beside its object is in the row, and the object's own comes first", async () => {
    const made = await create();
    const deliver = deliverTo(made);
    const event = sampleEvent("subscription.line.removal_scheduled", {
      id: "evt_departs",
      data: { object: { id: "subn_1", departs_at: undefined }, departs_at: "2026-12-01" },
    } as object);
    const cleared = sampleEvent("sim.cleared", {
      id: "evt_cleared",
      data: { object: { id: "sim_1", state: "provisioned" }, state: "deactivated", imported: true },
    } as object);
    for (const each of [event, cleared]) expect(await deliver(each)).toBe("handled");
    expect(await made.query("SELECT departs_at FROM fieldmesh_subscriptions")).toEqual([
      { departs_at: "2026-12-01" },
    ]);
    expect(await made.query("SELECT state FROM fieldmesh_sims")).toEqual([
      { state: "provisioned" },
    ]);
    expect(await made.mirror.verify([event, cleared])).toMatchObject({ differs: [], missing: [] });
    const [row] = await made.query(
      "SELECT CAST(state AS text) AS state FROM fieldmesh_mirror WHERE family = 'sim'",
    );
    expect(row?.["state"]).not.toMatch(/imported|previous_attributes|"object"/);
  });

  test("integers keep their digits, and characters that a database rejects are replaced", async () => {
    const made = await create();
    const deliver = deliverTo(made);
    const object = { id: "plan_1", count: 12345678901234567890n, large: 1e300, text: "a\0b\ud800" };
    const event = sampleEvent("plan.updated", { data: { object } } as object);
    expect(await deliver(event)).toBe("handled");
    const { differs, missing, checked } = await made.mirror.verify([event]);
    expect({ differs, missing, checked }).toEqual({ differs: [], missing: [], checked: 1 });
    const [row] = await made.query("SELECT CAST(state AS text) AS state FROM fieldmesh_mirror");
    expect(row?.["state"]).toContain("12345678901234567890");
    expect(row?.["state"]).toContain("a\uFFFDb\uFFFD");
  });
});
