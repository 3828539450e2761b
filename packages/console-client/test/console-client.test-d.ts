import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import type {
  ChangedDevice,
  ChangedLabel,
  ChangeManyReport,
  ChangeResult,
  ConfirmedUplinkEvent,
  ConsoleClient,
  CreateManyReport,
  CreateManyRun,
  CreateResult,
  Device,
  DeviceBatch,
  DeviceEvent,
  EventsCheckpoint,
  IntegrationEvent,
  Label,
  NewDevice,
  Organization,
  Secret,
  UplinkEvent,
} from "../src/index.ts";

import { isConfirmedUplinkEvent, isUplinkEvent } from "../src/index.ts";

declare const client: ConsoleClient;

test("methods resolve to the types of their rows", () => {
  expectTypeOf(client.organization.list).returns.resolves.toEqualTypeOf<Organization[]>();
  expectTypeOf(client.labels.list).returns.resolves.toEqualTypeOf<Label[]>();
  expectTypeOf(client.devices.list).returns.resolves.toEqualTypeOf<Device[]>();
  expectTypeOf(client.devices.createBatch).returns.resolves.toEqualTypeOf<DeviceBatch>();
  expectTypeOf(client.labels.find).returns.resolves.toEqualTypeOf<Label | undefined>();
  expectTypeOf(client.devices.setActive({ device_id: "", active: true })).resolves.toEqualTypeOf<
    ChangedDevice | undefined
  >();
  expectTypeOf(client.devices.setActiveByEui({ dev_eui: "", active: true })).resolves.toEqualTypeOf<
    ChangedDevice | ChangedDevice[] | undefined
  >();
  expectTypeOf(client.labels.setActive({ label_id: "", active: true })).resolves.toEqualTypeOf<
    ChangedLabel | string | undefined
  >();
  expectTypeOf(client.devices.create({} as NewDevice)).resolves.toEqualTypeOf<Device>();
  expectTypeOf(client.labels.delete).returns.resolves.toEqualTypeOf<string>();
});

test("events have the types that the contract states, and guards narrow them", async () => {
  expectTypeOf(client.devices.integrationEvents).returns.resolves.toEqualTypeOf<
    IntegrationEvent[]
  >();
  type Deleted = Awaited<ReturnType<ConsoleClient["integrations"]["delete"]>>;
  expectTypeOf<keyof Deleted>().toEqualTypeOf<"id" | "name">();
  const follower = client.devices.follow(
    { device_id: "" },
    { onGap: ({ before }) => before.length },
  );
  expectTypeOf(follower.checkpoint()).toEqualTypeOf<EventsCheckpoint | undefined>();
  for await (const event of follower) {
    expectTypeOf(event).toEqualTypeOf<DeviceEvent>();
    if (isUplinkEvent(event)) expectTypeOf(event).toEqualTypeOf<UplinkEvent>();
    if (isConfirmedUplinkEvent(event)) expectTypeOf(event).toEqualTypeOf<ConfirmedUplinkEvent>();
  }
});

test("returned keys are Secrets, and inputs accept a string or a Secret", () => {
  expectTypeOf<Device["app_key"]>().toEqualTypeOf<Secret>();
  expectTypeOf<Device["nwk_s_key"]>().toEqualTypeOf<Secret | null | undefined>();
  expectTypeOf<NewDevice["app_key"]>().toEqualTypeOf<string | Secret>();
});

test("the caller's schema types the result only where the contract does not define the record", () => {
  const schema = z.object({ color: z.string() });
  expectTypeOf(client.labels.create({ name: "x" }, { schema })).resolves.toEqualTypeOf<{
    color: string;
  }>();
  expectTypeOf(
    client.devices.setActiveByEui({ dev_eui: "x", active: true }, { schema }),
  ).resolves.toEqualTypeOf<{ color: string } | { color: string }[] | undefined>();
  // @ts-expect-error the contract defines the list
  void client.labels.list({ schema });
});

test("awaiting a run of createMany returns its report, and iterating it returns its results", async () => {
  const run = client.devices.createMany([]);
  expectTypeOf(await run).toEqualTypeOf<CreateManyReport>();
  expectTypeOf(run.report()).resolves.toEqualTypeOf<CreateManyReport>();
  for await (const result of run) expectTypeOf(result).toEqualTypeOf<CreateResult>();
  expectTypeOf(await Promise.all([run, client.labels.list()])).toEqualTypeOf<
    [CreateManyReport, Label[]]
  >();
  // An async function resolves to the report, whatever return type it declares.
  const inferred = async () => client.devices.createMany([]);
  expectTypeOf(inferred).returns.resolves.toEqualTypeOf<CreateManyReport>();
  const declared = async (): Promise<CreateManyRun> => client.devices.createMany([]);
  expectTypeOf(await declared()).toEqualTypeOf<CreateManyReport>();
  // @ts-expect-error an async function returns the report, which cannot be iterated
  void (await inferred())[Symbol.asyncIterator];
});

test("the other bulk methods accept the input of one change, and the records of a list", async () => {
  const { devices } = client;
  const report = await devices.deleteMany(await devices.list());
  expectTypeOf(report).toEqualTypeOf<ChangeManyReport>();
  for await (const result of devices.setActiveMany([])) {
    expectTypeOf(result).toEqualTypeOf<ChangeResult>();
    if (result.status !== "done") expectTypeOf(result.error).toEqualTypeOf<string>();
  }
  // @ts-expect-error active is required
  void devices.setActiveMany([{ device_id: "" }]);
  // @ts-expect-error this method has another field
  void devices.addLabelMany([{ device_id: "", label_id: "" }]);
  // @ts-expect-error only createMany can skip devices
  void devices.deleteMany([], { ifExists: "skip" });
  void devices.removeLabelMany([], { onProgress: ({ done, total }) => [done, total] });
});

test("mistakes in an input do not compile", () => {
  // @ts-expect-error a typo
  void client.labels.create({ nmae: "x" });
  // @ts-expect-error a missing input
  void client.labels.get();
  // @ts-expect-error both targets of a flow
  void client.flows.create({ integration_id: "x", label_id: "y", device_id: "z" });
  // @ts-expect-error no target of a flow
  void client.flows.create({ integration_id: "x" });
  // @ts-expect-error a field of another type of integration
  void client.integrations.create({ type: "mqtt", name: "x", endpoint: "y", method: "post" });
  void client.integrations.createHttp({ name: "x", endpoint: "y", method: "post" });
});

test("the output of request has the type of the schema, and is unknown without one", () => {
  expectTypeOf(client.request({ method: "GET", path: "/x" })).resolves.toEqualTypeOf<unknown>();
  const schema = z.array(z.object({ id: z.string() }));
  const id = String(1);
  expectTypeOf(client.request({ method: "GET", path: `/x/${id}`, schema })).resolves.toEqualTypeOf<
    { id: string }[]
  >();
  void client.request(
    { method: "POST", path: "/x", body: {} },
    { idempotencyKey: "k", timeout: 5 },
  );
  // @ts-expect-error no slash
  void client.request({ method: "GET", path: "x" });
  // @ts-expect-error no such method
  void client.request({ method: "get", path: "/x" });
  // @ts-expect-error a typo
  void client.request({ method: "GET", path: "/x", qurey: {} });
});

test("withOptions accepts any option of the client, and returns a client", () => {
  expectTypeOf(client.withOptions({ timeout: 5, retry: false })).toEqualTypeOf<ConsoleClient>();
  void client.withOptions({ apiKey: async () => "k" });
  void client.withOptions({ apiKey: () => "k", headers: {} });
  void client.labels.list({ retry: { attempts: 1 }, validation: "warn" });
  // @ts-expect-error a typo
  void client.withOptions({ timout: 5 });
  // @ts-expect-error a variable that may be missing
  void client.withOptions({ apiKey: process.env["KEY"] });
  // @ts-expect-error no such mode
  void client.labels.list({ validation: "none" });
});
