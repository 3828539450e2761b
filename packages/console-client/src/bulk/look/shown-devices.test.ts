import { Secret } from "@fieldmesh/core";
import { expect, test } from "vitest";
import { deviceOf } from "../../../test/model-console.ts";
import { contextOf } from "../../../test/run-context.ts";
import { foundOf, lookForDevices, rejectedOf } from "./look-for-devices.ts";
import { readDevice } from "../create/read-device.ts";
import { knowDevices, type KnownDevices } from "./known-devices.ts";
import type { PendingDevice } from "./pending-device.ts";
import { createFinder, createFormCheck, hexOf, idOf, readShown } from "./shown-devices.ts";
import type { Chunk } from "../run/run-parts.ts";

const pendingOf = (number: number, changed: object = {}): PendingDevice =>
  readDevice({ ...deviceOf(number), ...changed }, number, true) as PendingDevice;
const [one, two] = [pendingOf(1), pendingOf(2)];
const KEY = "00112233445566778899AABBCCDDEEFF";
const OTHER_KEY = "11112222333344445555666677778888";
const wire = (number: number, changed: object = {}) => ({
  id: `id ${number}`,
  ...deviceOf(number),
  ...changed,
});
const chunkOf = (...pending: PendingDevice[]) => ({ pending }) as unknown as Chunk<PendingDevice>;
const listOf = (...records: unknown[]) =>
  async function* () {
    yield* records;
  };
const ignore = (): void => undefined;
const always = (): boolean => true;
const never = (): boolean => false;

test("a valid device is read with its EUIs and key in one form, and without its key in what is hashed", () => {
  const lower = {
    name: "Tank",
    dev_eui: "0004a30b001c0530",
    app_eui: "70b3d57ed0000001",
    app_key: KEY.toLowerCase(),
  };
  const read = readDevice(lower, 3, true) as PendingDevice;
  expect(read).toMatchObject({
    index: 3,
    identity: { index: 3, dev_eui: "0004A30B001C0530" },
    pair: "0004A30B001C053070B3D57ED0000001",
    key: `0004A30B001C053070B3D57ED0000001${KEY}`,
  });
  expect(read.content).toMatch(/^\[\d+,\{"name":"Tank"\}\]$/);
  const other = readDevice({ ...lower, app_key: OTHER_KEY }, 3, true) as PendingDevice;
  expect(other.content).not.toBe(read.content);
});

test.each<[string, unknown, string | undefined]>([
  ["another invalid field", { ...deviceOf(1), name: "" }, "A000000000000001"],
  ["another invalid field and lower case", { ...deviceOf(0xab), name: "" }, "A0000000000000AB"],
  ["an invalid dev_eui", { ...deviceOf(1), dev_eui: "tank" }, undefined],
  ["an unknown field", { ...deviceOf(1), more: 1 }, undefined],
  ["a number as its dev_eui", { ...deviceOf(1), dev_eui: 7 }, undefined],
  ["nothing in it", undefined, undefined],
  ["null in it", null, undefined],
])("an invalid device with %s is named by its EUI if that is valid", (_what, device, dev_eui) => {
  const read = readDevice(device, 1, true);
  expect(read).toMatchObject({ index: 1, status: "failed", reason: "invalid" });
  expect(read).toHaveProperty("dev_eui", dev_eui);
});

test("digits are compared in upper case, without separators, also in a Secret", () => {
  for (const form of ["ab-cd", "AB:CD", " a b\tcd", new Secret("abcd")])
    expect(hexOf(form)).toBe("ABCD");
  for (const odd of [undefined, null, 7, {}, ["ab"]]) expect(hexOf(odd)).toBe("");
  expect([idOf({ id: "Ab" }), idOf({ id: 7 }), idOf({})]).toEqual(["Ab", "", ""]);
});

test("a record names a device by its EUIs, and by its key only if several have the same EUIs", () => {
  const twin = pendingOf(1, { app_key: OTHER_KEY });
  expect(createFinder([one, two])(wire(1, { app_key: "***" }))).toBe(one);
  expect(createFinder([one, twin])(wire(1, { app_key: OTHER_KEY }))).toBe(twin);
  expect(createFinder([one, twin])(wire(1, { app_key: "***" }))).toBeUndefined();
  expect(createFinder([one, two])(wire(3))).toBeUndefined();
  expect(createFinder([one])(wire(1, { app_eui: "70B3D57ED0010002" }))).toBeUndefined();
});

test.each<[string, unknown, boolean]>([
  ["another whole key", OTHER_KEY, false],
  ["a whole key in lower case with colons", "0011:2233445566778899aabbccddeeff", true],
  ["stars", "*".repeat(32), true],
  ["stars and the end of the key", `${"*".repeat(28)}EEFF`, true],
  ["zeros", "0".repeat(32), true],
  ["the end of the key", "EEFF", true],
  ["one digit more than a key", `${KEY}0`, true],
  ["a digit that is not hexadecimal", `G${KEY.slice(1)}`, true],
  ["a sign after a key", `${KEY.slice(1)}*`, true],
  ["nothing", undefined, true],
])(
  "a list with %s for the key shows the only device with its EUIs, or not",
  (_what, app_key, isFound) => {
    const shown = readShown(always);
    shown.add(wire(1, { app_key }));
    expect(shown.find(one) !== undefined).toBe(isFound);
    expect(shown.isUnclear(one)).toBe(false);
    const several = readShown(never);
    several.add(wire(1, { app_key }));
    const isMasked = isFound && hexOf(app_key) !== KEY;
    expect(several.find(one) !== undefined).toBe(isFound && !isMasked);
    expect(several.isUnclear(one)).toBe(isMasked);
  },
);

test("a record without readable EUIs makes a list unreadable, whoever is wanted", () => {
  for (const [record, isUnreadable] of [
    [wire(1), false],
    [wire(1, { dev_eui: null }), true],
    [wire(1, { app_eui: 7 }), true],
    [null, true],
  ] as const) {
    const shown = readShown(always, never);
    shown.add(record);
    shown.add(wire(2));
    expect(shown.hasUnreadable()).toBe(isUnreadable);
    expect(shown.find(one)).toBeUndefined();
  }
});

test("a list keeps the fields of a device that are compared, and no other", () => {
  const shown = readShown(always);
  shown.add(wire(1, { name: "Tank", labels: [] }));
  const { dev_eui, app_eui, app_key } = deviceOf(1);
  expect(shown.find(one)).toEqual({ id: "id 1", dev_eui, app_eui, app_key });
});

test("each field in another form is reported once for each call", () => {
  const seen: unknown[] = [];
  const check = createFormCheck((...all) => void seen.push(all));
  const batch = { call: "devices.createBatch", route: "POST /api/v1/devices", list: "success" };
  const list = { call: "devices.each", route: "GET /api/v1/devices", list: "" };
  const problem = (path: string) => ({ path, message: "is not written as it was sent" });
  check(batch, wire(1), one);
  expect(seen).toEqual([]);
  const lower = wire(1, { app_key: KEY.toLowerCase() });
  check(batch, lower, one);
  check(batch, lower, one);
  check(batch, wire(1, { app_key: "*", app_eui: null }), one);
  check(list, lower, one);
  expect(seen).toEqual([
    [{ call: batch.call, route: batch.route }, [problem("success[].app_key")]],
    [{ call: batch.call, route: batch.route }, [problem("success[].app_eui")]],
    [{ call: list.call, route: list.route }, [problem("[].app_key")]],
  ]);
});

test("a device that the list shows has the id of its record, and its form is checked", () => {
  const seen: unknown[] = [];
  const check = createFormCheck((context) => void seen.push(context));
  const shown = readShown(always);
  shown.add(wire(1, { dev_eui: "A0:00000000000001" }));
  expect(foundOf(shown, two, "created", check)).toBeUndefined();
  expect(foundOf(shown, one, "skipped", check)).toEqual({
    status: "skipped",
    index: 1,
    dev_eui: "A000000000000001",
    id: "id 1",
  });
  expect(seen).toEqual([{ call: "devices.each", route: "GET /api/v1/devices" }]);
});

test.each([
  ["name: is taken", "failed"],
  ["label_ids: are foreign", "failed"],
  ["config_profile_id: is foreign", "failed"],
  ["dev_eui: has already been taken", "unknown"],
  ["my name: is taken", "unknown"],
  ["name is taken", "unknown"],
])("a rejection after a broken request that says %j is %s", (rejection, status) => {
  expect(rejectedOf(one, rejection)).toMatchObject({
    status,
    index: 1,
    error: expect.stringContaining(rejection),
    ...(status === "failed" && { reason: "rejected" }),
  });
});

function knownOf(...devices: PendingDevice[]): KnownDevices {
  const known = knowDevices(false);
  for (const device of devices) expect(known.exclude(device)).toBeUndefined();
  return known;
}
const lookIn = async (records: readonly unknown[], known: KnownDevices) =>
  await lookForDevices(listOf(...records), known, ignore, [chunkOf(two)], contextOf());

test.each<[string, unknown[], boolean]>([
  ["that shows what was created", [wire(1)], false],
  ["that lacks what was created", [wire(3)], true],
  ["with a record that is not readable", [wire(1), null], true],
  ["that shows a masked twin of what was created", [wire(1, { app_key: "*" })], false],
  ["that shows another key than that of what was created", [wire(1, { app_key: OTHER_KEY })], true],
  ["that shows what was created for another app", [wire(1, { app_key: "*", app_eui: KEY })], true],
])("a list %s lags, or not", async (_what, records, lags) => {
  const known = knownOf(one, two);
  known.know([one]);
  const look = await lookIn(records, known);
  expect(look.lags).toBe(lags);
});

test("a list shows the devices in doubt, and only those that are wanted", async () => {
  const look = await lookIn([wire(1), wire(2)], knownOf(one, two));
  expect(look.resultOf(two)).toMatchObject({ status: "created", id: "id 2" });
  expect(look.resultOf(one)).toBeUndefined();
  expect(look.rejectedOf(two, "name: no")).toMatchObject({ status: "failed" });
  const twins = knownOf(two, { ...pendingOf(2, { app_key: OTHER_KEY }), index: 3 });
  const unclear = await lookIn([wire(2, { app_key: "*" })], twins);
  expect([unclear.isUnclear(two), unclear.resultOf(two)]).toEqual([true, undefined]);
});
