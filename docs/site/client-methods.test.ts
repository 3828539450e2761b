import { services } from "@fieldmesh/sandbox/internal/services";
import { describe, expect, test } from "vitest";
import { readSourceTypes } from "../documents/source-types.ts";
import { ownMethodsOf, writeClientPages } from "./client-methods.ts";
import { METHODS } from "./reference-sidebar.ts";

const types = readSourceTypes();
const pages = new Map<string, string>(
  services.map((each) => [
    each.name,
    writeClientPages(each, types)
      .map(([, text]) => text)
      .join("\n"),
  ]),
);

/** The part of a page below a heading. */
function section(service: string, call: string): string {
  return (
    pages
      .get(service)
      ?.split(/^## /m)
      .find((each) => each.startsWith(`${call}\n`)) ?? ""
  );
}

test("the pages have a section for each method that no endpoint has", () => {
  const [console, ledger] = services.map((each) =>
    ownMethodsOf(each, types).map(({ call }) => call),
  );
  const many = ["createMany", "deleteMany", "setActiveMany", "addLabelMany", "removeLabelMany"];
  const others = ["create", "each", "follow"];
  expect(console).toEqual(
    expect.arrayContaining([...many, ...others].map((name) => `devices.${name}`)),
  );
  expect(console).not.toContain("devices.list");
  expect(ledger).toEqual(["blocks.follow"]);
  const withMethods = services.filter((each) => ownMethodsOf(each, types).length > 0);
  expect(withMethods.map(({ name }) => name)).toEqual([...METHODS]);
});

describe.each([
  ["console", "devices.createMany", ["dev_eui", "ifExists", "onCheckpoint", "report", "results"]],
  ["console", "devices.deleteMany", ["id", "chunkSize", "settleTime", "lease"]],
  ["console", "devices.create", ["app_key", "lookUp", "timeout", "schema"]],
  ["console", "devices.each", ["maxResponseBytes", "signal"]],
  ["console", "devices.follow", ["minWait", "maxWait", "keepTrying", "onGap", "checkpoint"]],
  ["console", "createConsoleClient", ["baseUrl", "apiKey", "fetch", "hooks"]],
  ["console", "client.request", ["method", "path", "idempotencyKey"]],
  ["mobile", "Options of a call with an idempotency key", ["idempotencyKey"]],
  ["ledger", "blocks.follow", ["from", "minWait", "maxWait", "keepTrying"]],
  ["ledger", "Walks", ["walk", "pages", "take", "toArray", "parallel", "checkpoint", "repeated"]],
  ["ledger", "Options of a list", ["maxItems", "prefetch", "signal"]],
])("%s: %s", (service, call, names) => {
  test.each(names)("has %s in a table", (name) => {
    expect(section(service, call)).toContain(`| \`${name}\``);
  });
});

test("a default is code only if it is a value, a loop is named, and keys are where calls have them", () => {
  const run = section("console", "devices.createMany");
  expect(run).toContain("**Returns** `CreateManyRun`: loop over it with `for await`");
  expect(run).toContain("Default: a fiftieth of the input, between 100 and 1_000; 200 for");
  expect(run).toContain("Default: `4` (not in the spec)");
  expect(section("ledger", "Options of a call with an idempotency key")).toBe("");
});
