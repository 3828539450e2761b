import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listInputFields, openEntries } from "./declared-api.ts";
import { root } from "./packages.ts";

const program = openEntries();

test("every field that a caller writes has a text in its hover", () => {
  const fields = listInputFields(program);
  expect(fields.length).toBeGreaterThan(1_000);
  expect(fields.filter(({ text }) => text === "").map(({ name }) => name)).toEqual([]);
});

test("a field that lost its comment is found", () => {
  const file = join(root, "packages/console-client/src/device.ts");
  const source = readFileSync(file, "utf8");
  const changed = source.replace(/ *\/\*\* The name that the console shows.*\n/, "");
  expect(changed).not.toBe(source);
  const fields = listInputFields(openEntries({ [file]: changed }));
  expect(fields.filter(({ text }) => text === "").map(({ name }) => name)).toEqual([
    "console-client: devices.create.name",
    "console-client: devices.createBatch.devices[].name",
  ]);
});
