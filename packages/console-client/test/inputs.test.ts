import { expect, test } from "vitest";
import { isInputError, Secret, type NewDevice } from "../src/index.ts";
import { answering, errorOf, euis, ids } from "./answering.ts";

const good: NewDevice = { name: "Tank 7", ...euis };
const batchAnswer = { success: [], failure: [] };

test("sends EUIs and keys upper-case, the key as text or as a Secret", async () => {
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

test("looks devices up by upper-case EUIs", async () => {
  const { client, sent } = answering([]);
  await client.devices.setActiveByEui({ dev_eui: euis.dev_eui, active: true });
  expect(sent[0]?.url.search).toBe("?dev_eui=0004A30B001C0530");
});

test.for<[string, Partial<Record<keyof NewDevice, unknown>>, string]>([
  [
    "a dev_eui that is too short",
    { dev_eui: "0004a30b001c053" },
    "dev_eui: must be 16 hexadecimal digits",
  ],
  [
    "an app_eui that is not hexadecimal",
    { app_eui: "70b3d57ed000000g" },
    "app_eui: must be 16 hexadecimal digits",
  ],
  [
    "a key that is too long",
    { app_key: `${euis.app_key}0` },
    "app_key: must be 32 hexadecimal digits",
  ],
  ["a key that is a number", { app_key: 17 }, "app_key: expected text or a Secret"],
  [
    "a key that is a Secret of the wrong form",
    { app_key: new Secret("canary-short") },
    "app_key: must be 32 hexadecimal digits",
  ],
  ["an empty name", { name: "" }, "name: must not be empty"],
  ["a name of 53 characters", { name: "x".repeat(53) }, "name: must have at most 52 characters"],
  ["a label id that is no UUID", { label_ids: ["pumps"] }, "label_ids[0]: is not a UUID"],
  ["a field that does not exist", { devEui: "x" } as never, "has no field devEui"],
  ["a missing name", { name: undefined }, "name: is missing"],
])("refuses %s before anything is sent, and does not show it", async ([, change, message]) => {
  const { client, sent } = answering(batchAnswer);
  const error = await errorOf(client.devices.create({ ...good, ...change } as NewDevice));
  expect(isInputError(error)).toBe(true);
  expect(error.message).toBe(
    `devices.create (POST /api/v1/devices) was not sent: ${message}. Correct the input and call again.`,
  );
  expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/canary|2b7e15/i);
  expect(sent).toEqual([]);
});

test("names the device of a batch that is wrong", async () => {
  const { client } = answering(batchAnswer);
  const error = await errorOf(
    client.devices.createBatch({ devices: [good, { ...good, dev_eui: "1" }] }),
  );
  expect(error.message).toContain("devices[1].dev_eui: must be 16 hexadecimal digits");
});

test("refuses a batch of none and one of 1,001, and takes 1,000", async () => {
  const { client, sent } = answering(batchAnswer);
  const many = (count: number): NewDevice[] => Array.from({ length: count }, () => good);
  expect((await errorOf(client.devices.createBatch({ devices: [] }))).message).toContain(
    "must hold at least one device",
  );
  expect((await errorOf(client.devices.createBatch({ devices: many(1_001) }))).message).toContain(
    "must hold at most 1000 devices",
  );
  await client.devices.createBatch({ devices: many(1_000) });
  expect(sent).toHaveLength(1);
});

test("takes names of labels and integrations of 50 characters and no more", async () => {
  const { client } = answering({ id: ids.label, name: "x" }, { status: 201 });
  await client.labels.create({ name: "x".repeat(50) });
  expect(isInputError(await errorOf(client.labels.create({ name: "x".repeat(51) })))).toBe(true);
  const long = { name: "x".repeat(51), type: "partner1", token: "t" } as const;
  expect(isInputError(await errorOf(client.integrations.createPrebuilt(long)))).toBe(true);
});

test("counts an emoji of a name as one character", async () => {
  const { client } = answering({ id: ids.label, name: "x" }, { status: 201 });
  await client.labels.create({ name: "💧".repeat(50) });
  expect(isInputError(await errorOf(client.labels.create({ name: "💧".repeat(51) })))).toBe(true);
});

test("refuses a path value that is another endpoint's word", async () => {
  const { client, sent } = answering([]);
  expect(isInputError(await errorOf(client.devices.get({ device_id: "active" })))).toBe(true);
  expect(sent).toEqual([]);
});
