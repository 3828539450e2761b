import { createSandbox } from "../../engine/sandbox/sandbox.ts";
import { expect, test } from "vitest";
import { builtInJobRules, type Expected } from "./job-rules.ts";
import type { JobEnd, JobRun } from "./run-job.ts";

const sandbox = createSandbox();
const [device] = sandbox.console.state.devices.values();
const [label] = sandbox.console.state.labels.values();
const eui = device!.dev_eui;
await sandbox.webhooks.trigger("sim.activated", { data: { object: { id: "sim_1" } } });

/** Applies a rule to the end of a job. */
function problemOf(
  rule: string,
  expected: Partial<Expected> = {},
  { report, ...run }: Partial<JobRun<unknown>> & { readonly report?: unknown } = {},
) {
  const end = { sandbox, report } as JobEnd;
  const whole = { end, problem: undefined, calls: [], written: [], ...run };
  return builtInJobRules[rule]?.(whole, { devices: [], events: [], secrets: [], ...expected });
}

test("a key of the services, of a device or of the user must not be written", () => {
  const rule = "no secret is written";
  const wrote = (text: string) => ({ written: [{ where: "the log", text: `at ${text}.` }] });
  const problem = "the log contains a key or another secret.";
  const secrets = ["own secret", ""];
  const devices = ["0004A30B00000001", { dev_eui: eui, app_key: "key of a device" }];
  for (const text of [sandbox.apiKey, sandbox.mobile.apiKey, "own secret", "key of a device"])
    expect(problemOf(rule, { secrets, devices }, wrote(text))).toBe(problem);
  expect(problemOf(rule, { secrets, devices }, wrote(eui))).toBeUndefined();
  // A job that did not end has written something too.
  const unfinished = { ...wrote("own secret"), end: undefined };
  expect(problemOf(rule, { secrets }, unfinished)).toBe(problem);
});

test("a job without an end breaks one rule, which says what has prevented it", () => {
  const run = { end: undefined, problem: "it was still running" };
  expect(problemOf("each run ends", {}, run)).toBe("it was still running");
  expect(problemOf("each run ends")).toBeUndefined();
  expect(problemOf("each expected record exists once", { devices: ["none"] }, run)).toBeUndefined();
  expect(problemOf("a record that the report calls created exists", {}, run)).toBeUndefined();
});

test("an expected device exists once, in whatever form its EUI is written", () => {
  const rule = "each expected record exists once";
  const devices = [eui.toLowerCase(), { dev_eui: eui }];
  expect(problemOf(rule, { devices })).toBeUndefined();
  expect(problemOf(rule, { devices: ["FFFF"] })).toBe("the device FFFF exists 0 times.");
  sandbox.console.state.devices.add({ ...device!, id: "twin" });
  expect(problemOf(rule, { devices })).toBe(
    `the device ${eui.toLowerCase()} exists 2 times, not once.`,
  );
  sandbox.console.state.devices.delete("twin");
});

test("an expected event has happened once, with the fields of its object", () => {
  const rule = "each expected record exists once";
  const of = (type: string, object?: Record<string, unknown>) =>
    problemOf(rule, { events: [{ type, object }] });
  expect(of("sim.activated")).toBeUndefined();
  expect(of("sim.activated", { id: "sim_1" })).toBeUndefined();
  expect(of("sim.activated", { id: "sim_2" })).toBe(
    'sim.activated of {"id":"sim_2"} has happened 0 times.',
  );
  expect(of("sim.suspended")).toBe("sim.suspended of {} has happened 0 times.");
});

test("what a report calls created exists: by EUI, by id, in a list or in its results", () => {
  const rule = "a record that the report calls created exists";
  const of = (report: unknown) => problemOf(rule, {}, { report });
  for (const created of [
    [eui],
    [{ dev_eui: eui }],
    [{ id: label!.id }],
    [device!.id],
    [7, null, {}],
  ])
    expect(of({ created })).toBeUndefined();
  expect(of({ created: 3, results: { created: ["gone"] } })).toBe(
    "the report calls gone created, and it does not exist.",
  );
  for (const report of [undefined, "done", {}, { created: 3 }]) expect(of(report)).toBeUndefined();
});
