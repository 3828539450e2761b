import { expect, test } from "vitest";
import { call, SUBSCRIBER } from "../testing/all-state.ts";
import { newDevice, NOBODY } from "../testing/console.ts";
import { openControls } from "../testing/controls.ts";
import type { DeliveryView, EventView, RatesView, RecordView } from "./wire.ts";

/** A sandbox with an endpoint that responds with `receiver.status`. */
function open(options: Parameters<typeof openControls>[0] = { console: { data: "empty" } }) {
  const all = openControls(options);
  const receiver = { status: 200 };
  all.sandbox.webhooks.register({
    url: "http://127.0.0.1:1/",
    fetch: async () => new Response(null, { status: receiver.status }),
  });
  const viewOf = async (id: string) => (await all.send(`GET /records/${id}`)).body as RecordView;
  const act = (id: string, name: string, type?: string) =>
    all.send(`POST /records/${id}/act`, { name, type });
  return { ...all, receiver, viewOf, act };
}

async function openWithDevice() {
  const all = open();
  const { text } = await call(all.sandbox, "console POST /api/v1/devices", newDevice(1));
  await call(all.sandbox, "console POST /api/v1/devices", newDevice(16));
  const { id } = JSON.parse(text) as { id: string };
  return { ...all, id };
}

const kinds = ({ timeline }: RecordView) => timeline.map(({ kind }) => kind);
const names = ({ actions }: RecordView) => actions.map(({ type, name }) => type ?? name);

test("a device shows its requests and uplinks in order, and no key", async () => {
  const { sandbox, id, viewOf } = await openWithDevice();
  await sandbox.clock.advance(1_000);
  await sandbox.console.sendUplink({ device_id: id });
  await sandbox.clock.advance(1_000);
  await call(sandbox, `console GET /api/v1/devices/${id}`);
  await call(sandbox, "console GET /api/v1/devices");
  const view = await viewOf(id);
  expect(kinds(view)).toEqual(["request", "uplink", "request"]);
  expect(view.timeline[0]).toMatchObject({ request: { number: 1, row: "devices.create" } });
  expect(view.timeline[1]).toMatchObject({ text: expect.stringContaining("data up received") });
  expect(view).toMatchObject({ kind: "device", id, title: "Tank 1" });
  expect(view.record).toMatchObject({ dev_eui: newDevice(1).dev_eui, app_key: "[redacted]" });
  expect(JSON.stringify(view)).not.toContain(newDevice(1).app_key);
  expect(await viewOf(newDevice(1).dev_eui)).toEqual(view);
});

test("a device sends an uplink, and is deactivated and activated again", async () => {
  const { id, viewOf, act, sandbox } = await openWithDevice();
  expect(names(await viewOf(id))).toEqual(["send_uplink", "deactivate"]);
  expect((await act(id, "deactivate")).body).toMatchObject({ record: { active: false } });
  expect(names(await viewOf(id))).toEqual(["send_uplink", "activate"]);
  expect(await act(id, "deactivate")).toEqual({
    status: 400,
    body: "This device has no action deactivate now.",
  });
  expect(kinds((await act(id, "activate")).body as RecordView)).not.toContain("uplink");
  expect(kinds((await act(id, "send_uplink")).body as RecordView)).toContain("uplink");
  sandbox.setFaults([{ kind: "status", status: 503 }, { kind: "reset" }]);
  const { body } = await act(id, "deactivate");
  expect(body).toBe("The console responded 503: see the requests, and the faults.");
  expect((await act(id, "deactivate")).body).toMatch("The console broke the connection");
});

test("a SIM shows its events and each attempt of their deliveries, and not those of another", async () => {
  const { sandbox, receiver, viewOf } = open();
  receiver.status = 500;
  const object = { id: "sim_1", subscriber_id: "sub_9" };
  await sandbox.webhooks.trigger("sim.activated", { data: { object } });
  await sandbox.webhooks.trigger("sim.activated", { data: { object: { id: "sim_10" } } });
  await sandbox.webhooks.advance(30_000);
  const view = await viewOf("sim_1");
  expect(kinds(view)).toEqual(["event", "delivery", "delivery"]);
  expect(view.timeline[2]).toMatchObject({ attempt: 2, delivery: { status: "pending" } });
  expect(view.record).toMatchObject({ id: "sim_1", state: "active", msisdn: "[redacted]" });
});

test("what can be done with a SIM and a subscriber depends on their state", async () => {
  const { sandbox, viewOf, act } = open();
  const object = { id: "sim_1", subscriber_id: "sub_9" };
  await sandbox.webhooks.trigger("sim.activated", { livemode: true, data: { object } });
  const steps = ["sim.suspended", "sim.restored", "sim.deactivated", "sim.reinstated"];
  for (const type of steps) {
    expect(names(await viewOf("sim_1"))).toContain(type);
    await act("sim_1", "trigger", type);
  }
  const last = sandbox.webhooks.events().at(-1);
  expect(last).toMatchObject({ type: "sim.reinstated", livemode: true, data: { object } });
  for (const type of ["sim.reinstatd", "subscriber.locked", undefined])
    expect(await act("sim_1", "trigger", type)).toMatchObject({ status: 400 });
  const { text } = await call(sandbox, "mobile POST /v1/subscribers", SUBSCRIBER);
  const { id } = JSON.parse(text) as { id: string };
  expect(names(await viewOf(id))).toEqual(["subscriber.locked", "trigger"]);
  sandbox.mobile.state.subscribers.set(id, { id, livemode: false, locked_status: "locked" });
  expect(names(await viewOf(id))).toEqual(["subscriber.unlocked", "trigger"]);
});

test("a subscriber shows its request, its event and the delivery, and no personal data", async () => {
  const { sandbox, viewOf } = open();
  const { text } = await call(sandbox, "mobile POST /v1/subscribers", SUBSCRIBER);
  const { id } = JSON.parse(text) as { id: string };
  await sandbox.webhooks.idle();
  const view = await viewOf(id);
  expect(kinds(view)).toEqual(["request", "event", "delivery"]);
  expect(JSON.stringify(view)).not.toContain(SUBSCRIBER.email);
});

test("an event leads to its deliveries and its records, and a delivery to the same", async () => {
  const { sandbox, send } = open();
  const { text } = await call(sandbox, "mobile POST /v1/subscribers", SUBSCRIBER);
  const { id } = JSON.parse(text) as { id: string };
  const data = { object: { id: "sim_1", subscriber_id: id } };
  const event = await sandbox.webhooks.trigger("sim.activated", { data });
  const view = (await send(`GET /events/${event.id}`)).body as EventView;
  expect(view.records).toEqual(["sim_1", id]);
  expect(view.event).toMatchObject({ id: event.id, type: "sim.activated" });
  const [delivery] = view.deliveries;
  const { body } = await send(`GET /deliveries/${delivery?.id}`);
  expect((body as DeliveryView).records).toEqual(["sim_1", id]);
});

test.each([
  [`GET /records/${NOBODY}`, "There is no device, SIM or subscriber of this id."],
  ["POST /records/sim_0/act", "There is no device, SIM or subscriber of this id."],
  ["GET /events/evt_0", "There is no such event."],
  ["POST /redeliver", "There is no delivery del_0."],
])("%s names what does not exist", async (route, message) => {
  const { send } = open();
  const body = route.endsWith("act") ? { name: "trigger" } : { ids: ["del_0"] };
  expect(await send(route, route.startsWith("GET") ? undefined : body)).toEqual({
    status: 400,
    body: message,
  });
});

test("failed deliveries are delivered again: all of them, or those that were selected", async () => {
  const { sandbox, receiver, send } = open();
  await sandbox.webhooks.trigger("plan.created");
  receiver.status = 500;
  await sandbox.webhooks.trigger("sim.activated");
  await sandbox.webhooks.trigger("sim.suspended");
  await sandbox.webhooks.trigger("sim.restored");
  const failed = sandbox.webhooks.deliveries().slice(1);
  expect((await send("POST /redeliver", {})).body).toEqual({ delivered: 0, failed: 3 });
  receiver.status = 200;
  const selected = { ids: [failed[0]?.id] };
  expect((await send("POST /redeliver", selected)).body).toEqual({ delivered: 1, failed: 0 });
  expect((await send("POST /redeliver", {})).body).toEqual({ delivered: 2, failed: 0 });
  expect((await send("POST /redeliver", {})).body).toEqual({ delivered: 0, failed: 0 });
  expect(sandbox.webhooks.deliveries().map(({ attempts }) => attempts.length)).toEqual([
    1, 3, 3, 3,
  ]);
});

test("the limits say what is left for each sender until its minute ends", async () => {
  const { sandbox, send } = open({ console: { data: "empty", requestsPerMinute: 5 } });
  const rates = async () => (await send("GET /rates")).body as RatesView;
  const of = ({ limits }: RatesView, service: string) =>
    limits.filter((each) => each.service === service);
  const before = await rates();
  expect(before.minute).toEqual({ console: 0, ledger: 0, mapper: 0, mobile: 0 });
  expect(of(before, "console")).toEqual([
    { service: "console", kind: "requests", sender: "", perMinute: 5, left: 5, resetsAt: null },
  ]);
  const resetsAt = sandbox.clock.now() + 60_000;
  for (let sent = 0; sent < 6; sent++) await call(sandbox, "console GET /api/v1/labels");
  await call(sandbox, "mobile GET /v1/events");
  const after = await rates();
  expect(after.minute).toMatchObject({ console: 6, mobile: 1 });
  expect(of(after, "console")).toMatchObject([{ sender: "in process", left: 0, resetsAt }]);
  expect(of(after, "mobile")).toMatchObject([
    { kind: "reads", sender: "sk key", perMinute: 600, left: 599, resetsAt },
    { kind: "writes", sender: "", perMinute: 120, left: 120, resetsAt: null },
  ]);
  expect(JSON.stringify(after)).not.toContain(sandbox.mobile.apiKey);
  await sandbox.clock.advance(60_000);
  expect(await rates()).toEqual(before);
});
