import { expect, test } from "vitest";
import { deviceOf } from "../../../test/model-console.ts";
import { readDevice } from "../create/read-device.ts";
import type { PendingDevice } from "./pending-device.ts";
import { createFormCheck, hexOf, readShown } from "./shown-devices.ts";

const pendingOf = (number: number, changed: object = {}): PendingDevice =>
  readDevice({ ...deviceOf(number), ...changed }, number, true) as PendingDevice;
const one = pendingOf(1);
const KEY = "00112233445566778899AABBCCDDEEFF";
const OTHER_KEY = "11112222333344445555666677778888";
const wire = (number: number, changed: object = {}) => ({
  id: `id ${number}`,
  ...deviceOf(number),
  ...changed,
});
const always = (): boolean => true;
const never = (): boolean => false;

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
