import * as samples from "../src/samples.ts";
import { describe, expect, test } from "vitest";
import { InputError, Secret, type ConsoleClient, type NewDevice } from "../src/index.ts";
import { answering, errorOf, euis, ids } from "./answering.ts";

const good: NewDevice = { name: "Tank 7", ...euis };
const loose = { observedRules: false };
const OBSERVED = " (observed; `observedRules: false` turns this off)";
const batchAnswer = { success: [], failure: [] };

test("sends EUIs and keys in upper case, and accepts the key as a string or a Secret", async () => {
  const { client, sent } = answering(batchAnswer);
  await client.devices.createBatch({
    devices: [good, { ...good, app_key: new Secret(euis.app_key) }],
  });
  const device = {
    name: "Tank 7",
    dev_eui: "0004A30B001C0530",
    app_eui: "70B3D57ED0000001",
    app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
  };
  expect(sent[0]?.body).toEqual({ devices: [device, device] });
});

test("looks up devices by upper-case EUIs", async () => {
  const { client, sent } = answering([]);
  await client.devices.setActiveByEui({ dev_eui: euis.dev_eui, active: true });
  expect(sent[0]?.url.search).toBe("?dev_eui=0004A30B001C0530");
});

test.for<[string, Partial<Record<keyof NewDevice, unknown>>, string]>([
  [
    "a dev_eui that is too short",
    { dev_eui: "0004a30b001c053" },
    `dev_eui: must be 16 hexadecimal digits${OBSERVED}`,
  ],
  [
    "an app_eui that is not hexadecimal",
    { app_eui: "70b3d57ed000000g" },
    "app_eui: must be 16 hexadecimal digits",
  ],
  [
    "a key that is too long",
    { app_key: `${euis.app_key}0` },
    `app_key: must be 32 hexadecimal digits${OBSERVED}`,
  ],
  ["a key that is a number", { app_key: 17 }, "app_key: expected a string or a Secret"],
  [
    "a key that is a Secret of the wrong form",
    { app_key: new Secret("canary-short") },
    "app_key: must be 32 hexadecimal digits",
  ],
  ["an empty name", { name: "" }, "name: must not be empty"],
  [
    "a name of 53 characters",
    { name: "x".repeat(53) },
    `name: must have at most 52 characters${OBSERVED}`,
  ],
  ["a label id that is not a UUID", { label_ids: ["pumps"] }, "label_ids[0]: is not a UUID"],
  ["a field that does not exist", { devEui: "x" } as never, `has no field devEui${OBSERVED}`],
  ["a missing name", { name: undefined }, "name: is missing"],
])(
  "rejects %s before a request is sent, and does not show the value",
  async ([, change, message]) => {
    const { client, sent } = answering(batchAnswer);
    const error = await errorOf(client.devices.create({ ...good, ...change } as NewDevice));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe(
      `devices.create (POST /api/v1/devices) was not sent: ${message}. Correct the input and call again.`,
    );
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/canary|2b7e15/i);
    expect(sent).toEqual([]);
  },
);

const PLACEHOLDER = `dev_eui: must not be a placeholder of zeros only or F only${OBSERVED}`;
const writes: Readonly<
  Record<string, (client: ConsoleClient, device: NewDevice) => Promise<unknown>>
> = {
  create: (client, device) => client.devices.create(device),
  createBatch: (client, device) => client.devices.createBatch({ devices: [device] }),
  createMany: async (client, device) =>
    (await client.devices.createMany([device], { settleTime: 0 })).results.failed[0],
};

describe.each(Object.entries(writes))("devices.%s", (_method, write) => {
  test.each(["0", "F", "f"])(
    "rejects a dev_eui of %s only, unless the rule is off",
    async (digit) => {
      const device = { ...good, dev_eui: digit.repeat(16) };
      const { client, sent } = answering(batchAnswer);
      const outcome = await write(client, device).catch((error: unknown) => error);
      expect((outcome as Error & { error?: string }).error ?? String(outcome)).toContain(
        PLACEHOLDER,
      );
      expect(sent.filter(({ method }) => method === "POST")).toEqual([]);
      const off = answering({ success: [{ ...device, id: ids.device }], failure: [] }, {}, loose);
      await write(off.client, device).catch(() => undefined);
      expect(off.sent.filter(({ method }) => method === "POST")).toHaveLength(1);
    },
  );
});

test("names the invalid device of a batch", async () => {
  const { client } = answering(batchAnswer);
  const error = await errorOf(
    client.devices.createBatch({ devices: [good, { ...good, dev_eui: "1" }] }),
  );
  expect(error.message).toContain("devices[1].dev_eui: must be 16 hexadecimal digits");
});

test("rejects batches of 0 and 1,001 devices, and accepts 1,000", async () => {
  const { client, sent } = answering(batchAnswer);
  const many = (count: number): NewDevice[] => Array.from({ length: count }, () => good);
  expect((await errorOf(client.devices.createBatch({ devices: [] }))).message).toContain(
    "must have at least one device",
  );
  expect((await errorOf(client.devices.createBatch({ devices: many(1_001) }))).message).toContain(
    "must have at most 1000 devices",
  );
  await client.devices.createBatch({ devices: many(1_000) });
  expect(sent).toHaveLength(1);
});

test("accepts names of labels and integrations of up to 50 characters", async () => {
  const { client } = answering({ id: ids.label, name: "x" }, { status: 201 });
  await client.labels.create({ name: "x".repeat(50) });
  expect(await errorOf(client.labels.create({ name: "x".repeat(51) }))).toBeInstanceOf(InputError);
  const long = { name: "x".repeat(51), type: "partner1", token: "t" } as const;
  expect(await errorOf(client.integrations.createPrebuilt(long))).toBeInstanceOf(InputError);
});

test("counts an emoji of a name as one character", async () => {
  const { client } = answering({ id: ids.label, name: "x" }, { status: 201 });
  await client.labels.create({ name: "💧".repeat(50) });
  expect(await errorOf(client.labels.create({ name: "💧".repeat(51) }))).toBeInstanceOf(InputError);
});

test("rejects a path value that is a path segment of another endpoint", async () => {
  const { client, sent } = answering([]);
  expect(await errorOf(client.devices.get({ device_id: "active" }))).toBeInstanceOf(InputError);
  expect(sent).toEqual([]);
});

test("without observed rules, sends every input that the contract allows, unchanged", async () => {
  const { client, sent } = answering(batchAnswer, {}, loose);
  const short = {
    name: "x".repeat(80),
    dev_eui: "0a1b",
    app_eui: "ff",
    app_key: new Secret("abcd"),
  };
  const more = { ...short, region: "EU868" };
  // Nothing is read back.
  const ofCreate = answering(samples.devices.get.output, {}, loose);
  await ofCreate.client.devices.create(more);
  await client.devices.createBatch({ devices: [more] });
  await client.devices.createBatch({ devices: [] });
  const ofLabel = answering(samples.labels.get.output, {}, loose);
  await ofLabel.client.labels.create({ name: "x".repeat(80) });
  const wire = { ...more, app_key: "abcd" };
  expect([...ofCreate.sent, ...sent, ...ofLabel.sent].map(({ body }) => body)).toEqual([
    wire,
    { devices: [wire] },
    { devices: [] },
    { name: "x".repeat(80) },
  ]);
});

test("without observed rules, sends any method, and looks up EUIs unchanged", async () => {
  const { client, sent } = answering({}, {}, loose);
  const http = { name: "Lake", endpoint: "https://lake.test", method: "DELETE" } as const;
  await errorOf(client.integrations.createHttp(http));
  await client.devices.setActiveByEui({ dev_eui: euis.dev_eui, active: true });
  expect(sent[0]?.body).toMatchObject({ method: "DELETE" });
  expect(sent[1]?.url.search).toBe(`?dev_eui=${euis.dev_eui}`);
});

test("without observed rules, inputs that break the contract are still rejected", async () => {
  const { client, sent } = answering(batchAnswer, {}, loose);
  for (const [change, message] of [
    [{ dev_eui: "tank" }, "dev_eui: must be hexadecimal digits."],
    [{ name: undefined }, "name: is missing."],
    [{ name: "" }, "name: must not be empty."],
    [{ label_ids: ["pumps"] }, "label_ids[0]: is not a UUID."],
  ] as const) {
    const error = await errorOf(client.devices.create({ ...good, ...change } as NewDevice));
    expect(error.message).toContain(message);
  }
  expect(sent).toEqual([]);
});

test("a bulk run follows observedRules too, and matches EUIs in any case", async () => {
  const device = { ...euis, app_key: euis.app_key, id: ids.device, name: "Tank 7" };
  const answer = { success: [{ ...device, dev_eui: device.dev_eui.toUpperCase() }], failure: [] };
  const { client, sent } = answering(answer, {}, loose);
  const long = { ...good, name: "x".repeat(80) };
  const { results } = await client.devices.createMany([long]).report();
  expect(results.created).toMatchObject([{ index: 0, id: ids.device }]);
  const bodies = sent.filter(({ method }) => method === "POST").map(({ body }) => body);
  expect(bodies).toEqual([{ devices: [long] }]);
  const strict = await answering(answer).client.devices.createMany([long]).report();
  expect(strict.results.failed).toMatchObject([
    { error: `name: must have at most 52 characters${OBSERVED}` },
  ]);
});

test("a header of an HTTP integration may be empty", async () => {
  const { client, sent } = answering({}, { status: 201 });
  const http = {
    name: "Lake",
    endpoint: "https://lake.test",
    method: "post",
    headers: { "x-a": "" },
  };
  await errorOf(client.integrations.createHttp(http));
  expect(sent[0]?.body).toMatchObject({ headers: { "x-a": "" } });
});

test("devices.each rejects a misspelled option at once", () => {
  const { devices } = answering([]).client;
  expect(() => devices.each({ maxBytes: 1 } as never)).toThrow(
    'devices.each has no option "maxBytes"',
  );
});
