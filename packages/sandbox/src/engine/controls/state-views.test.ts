import { expect, test } from "vitest";
import { sandboxWithAllState, UPLINK } from "../testing/all-state.ts";
import type { Positions, StatePage } from "./wire.ts";

const { sandbox, ids } = await sandboxWithAllState();

async function view<T>(path: string): Promise<T> {
  const response = await sandbox.handler(new Request(`https://sandbox.invalid/sandbox${path}`));
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

const rowsOf = async (name: string, search = "") =>
  (await view<StatePage>(`/state/${name}?search=${encodeURIComponent(search)}`)).rows;

test("a device and a label show each other and the integration that a flow connects", async () => {
  expect(await rowsOf("devices", ids["device"])).toEqual([
    expect.objectContaining({ labels: "All", flows: "Hook", active: false }),
  ]);
  expect(await rowsOf("labels", "All")).toEqual([
    { name: "All", devices: 1, flows: "Hook", id: ids["label"] },
  ]);
  expect(await rowsOf("flows")).toEqual([
    expect.objectContaining({ from: "label All", integration: "Hook" }),
  ]);
  expect(await rowsOf("integrations", "Hook")).toEqual([
    { name: "Hook", type: "http", id: expect.any(String) },
  ]);
});

test("a subscriber shows no personal data, and a subscription whose it is", async () => {
  expect(await rowsOf("subscribers")).toEqual([
    {
      id: ids["subscriber"],
      status: "unlocked",
      created_at: expect.stringMatching(/^2026-/),
      livemode: false,
      email: "[redacted]",
    },
  ]);
  expect(await rowsOf("subscriptions")).toEqual([
    expect.objectContaining({ subscriber_id: ids["subscriber"], livemode: false }),
  ]);
});

test("a SIM shows its last event, and no event of another kind is one", async () => {
  const data = { object: { id: "sim_7", state: "active", subscription_id: 7n } };
  await sandbox.webhooks.trigger("sim.activated", { data });
  await sandbox.webhooks.trigger("sim.suspended", {
    data: { object: { ...data.object, state: "suspended" } },
  });
  expect(await rowsOf("sims", "sim_7")).toEqual([
    expect.objectContaining({
      id: "sim_7",
      state: "suspended",
      subscription_id: "7",
      last_event: "sim.suspended",
    }),
  ]);
  const { total } = await view<StatePage>("/state/sims");
  expect(total).toBe(2);
});

test("a list is shown in parts, whose total is that of the whole", async () => {
  const { devices } = sandbox.console.state;
  const { total, rows } = await view<StatePage>(`/state/devices?offset=${devices.size - 2}`);
  expect([total, rows.length]).toEqual([devices.size, 2]);
  const accounts = await view<StatePage>("/state/accounts");
  expect([accounts.total, accounts.rows.length]).toEqual([10_000, 200]);
});

test("an uplink is at its position, and each hotspot with one is beside it", async () => {
  const { latitude, longitude } = UPLINK.decoded.payload;
  expect(await rowsOf("uplinks")).toEqual([
    expect.objectContaining({ dev_eui: UPLINK.dev_eui, latitude, longitude }),
  ]);
  const metadata = { gateway_lat: "47.1", gateway_long: "7.1", gateway_name: "river" };
  const heardBy = (place: object) =>
    sandbox.mapper.state.uplinks.push({ at: 0, position: {}, uplink: place } as never);
  heardBy({ hotspots: [{ name: "bridge", lat: 47.2, long: 7.2 }, { id: "no place" }, null] });
  heardBy({ rxInfo: [{ metadata }, { id: "h", metadata: { ...metadata, gateway_name: 7 } }] });
  heardBy({ rxInfo: [{ lat: 47.3, long: 7.3 }] });
  heardBy({ hotspots: "none" });
  const { uplinks, hotspots } = await view<Positions>("/positions");
  expect(uplinks[0]).toMatchObject({ name: UPLINK.dev_eui, latitude, longitude });
  expect(uplinks[1]).toEqual({ at: 0, name: "", latitude: 0, longitude: 0 });
  expect(hotspots).toEqual([
    { name: "bridge", latitude: 47.2, longitude: 7.2 },
    { name: "river", latitude: 47.1, longitude: 7.1 },
    { name: "h", latitude: 47.1, longitude: 7.1 },
    { name: "hotspot", latitude: 47.3, longitude: 7.3 },
  ]);
});
