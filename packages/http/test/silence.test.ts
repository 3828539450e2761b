import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { InputError, setDefaultValidation, type Drift } from "../src/index.ts";
import { createThings, errorOf, thing, type Things } from "./things.ts";

// Where the contract is silent: guesses about responses, observed rules of the input, and reports of drift.

const respondWith =
  (body: unknown): (() => Promise<Response>) =>
  async () =>
    new Response(typeof body === "string" ? body : JSON.stringify(body), { status: 200 });

/** Creates a client whose server sends one body, and records the drift. */
function drifting(
  body: unknown,
  options: Parameters<typeof createThings>[0] = {},
): { things: Things; drifts: Drift[]; paths: () => string[] } {
  const drifts: Drift[] = [];
  const onDrift = (drift: Drift): void => void drifts.push(drift);
  const things = createThings({ fetch: respondWith(body), onDrift, ...options });
  const paths = (): string[] =>
    drifts.flatMap(({ problems }) => problems.map((problem) => problem.path));
  return { things, drifts, paths };
}

afterEach(() => {
  setDefaultValidation(undefined);
  vi.restoreAllMocks();
});

test("strict: a field that the contract does not describe may have any type, and is reported", async () => {
  const { things, paths } = drifting([{ ...thing, color: ["red"] }]);
  expect(await things.list()).toEqual([{ ...thing, color: ["red"] }]);
  expect(paths()).toEqual(["[0].color"]);
});

test("strict: a documented field with a wrong type is an error that names only that field", async () => {
  const { things, drifts } = drifting([{ ...thing, id: "1", color: 7 }]);
  const error = await errorOf<Error & { problems: unknown }>(things.list());
  expect(error.problems).toEqual([{ path: "[0].id", message: "expected number, got string" }]);
  expect(drifts).toEqual([]);
});

test.for<[string, unknown, unknown, string[]]>([
  ["a string", "Created", "Created", [""]],
  ["a number", 7, 7, [""]],
  ["a list", [thing], [thing], [""]],
  ["another record", { thing_id: 1 }, { thing_id: 1 }, ["id", "name"]],
  ["no body", "", undefined, [""]],
])(
  "strict: a record that the contract does not describe may be %s",
  async ([, body, output, at]) => {
    const { things, paths } = drifting(body);
    expect(await things.create({ name: "one" })).toEqual(output);
    expect(paths()).toEqual(at);
  },
);

test("a caller's schema replaces the guess and its drift, and receives what was sent", async () => {
  const seen: unknown[] = [];
  const schema = z.object({ id: z.string(), key: z.string() }).transform((each) => {
    seen.push(each);
    return each.id;
  });
  const { things, drifts } = drifting({ id: "one", key: "canary-key" });
  expect(await things.create({ name: "one" }, { schema })).toBe("one");
  expect(seen).toEqual([{ id: "one", key: "canary-key" }]);
  expect(drifts).toEqual([]);
});

test("drift is counted for each place of a call, with all records of a list together", async () => {
  const { things, drifts } = drifting([
    { ...thing, color: 1 },
    { ...thing, color: 2 },
  ]);
  await things.list();
  await things.list();
  await things.find({ name: "one" });
  const counts = drifts.map(({ call, problems }) => [call, problems.map(({ count }) => count)]);
  expect(counts).toEqual([
    ["things.list", [1, 2]],
    ["things.list", [3, 4]],
    ["things.find", [1, 2]],
  ]);
});

test("warn: without onDrift, the console receives one line for each place, without values", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
  const { things } = drifting(
    [
      { id: "canary-1", name: "one", color: 1 },
      { id: "canary-2", name: "two" },
    ],
    { validation: "warn", onDrift: undefined },
  );
  await things.list();
  await things.list();
  expect(warn.mock.calls.map(([line]) => String(line))).toEqual([
    expect.stringMatching(
      /^things\.list \(GET \/v1\/things\): the response does not fit: \[\]\.id expected number, got string\. .*onDrift/,
    ),
    expect.stringContaining("[].color expected string, got number"),
  ]);
  expect(warn.mock.calls.join()).not.toContain("canary");
});

test("strict and off write nothing to the console", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
  const body = [{ ...thing, color: 1 }];
  await drifting(body, { onDrift: undefined }).things.list();
  await drifting(body, { onDrift: undefined, validation: "off" }).things.list();
  expect(warn).not.toHaveBeenCalled();
});

test("off: the response is returned unchanged and without a report, and a secret remains a Secret", async () => {
  const { things, drifts } = drifting([{ id: "1", key: "canary-key" }], { validation: "off" });
  const list = (await things.list()) as unknown[];
  expect(JSON.stringify(list)).toBe('[{"id":"1","key":"[redacted]"}]');
  expect(drifts).toEqual([]);
});

test("setDefaultValidation applies from the next response on, unless a client has its own mode", async () => {
  const body = [{ ...thing, name: 7 }];
  const { things, paths } = drifting(body);
  const own = drifting(body, { validation: "strict" });
  setDefaultValidation("warn");
  expect(await things.list()).toEqual(body);
  expect(paths()).toEqual(["[0].name"]);
  expect((await errorOf(own.things.list())).name).toBe("ResponseValidationError");
  setDefaultValidation(undefined);
  expect((await errorOf(things.list())).name).toBe("ResponseValidationError");
});

const LONG = { name: "x".repeat(51) };
const rejected =
  "name: must have at most 50 characters (observed; `observedRules: false` turns this off).";

test.for<[string, { service?: boolean; option?: boolean }, boolean]>([
  ["the service sets nothing", {}, false],
  ["the service turns them on", { service: true }, true],
  ["the option turns them on", { option: true }, true],
  ["the option turns them off", { service: true, option: false }, false],
])("observed rules if %s", async ([, { service, option }, checked]) => {
  const { things } = drifting(thing, {
    service: service === undefined ? {} : { observedRules: service },
    observedRules: option,
  });
  if (!checked) return expect(await things.createOnce(LONG)).toEqual(thing);
  const error = await errorOf(things.createOnce(LONG));
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toContain(rejected);
});
