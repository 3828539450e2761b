import { revealText, Secret } from "@fieldmesh/core/internal";
import { createSandbox } from "@fieldmesh/sandbox/engine";
import { expect, test } from "vitest";
import { builtInJobRules, secretsOf, type Expected } from "./job-rules.ts";
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
  const whole = { end, problem: undefined, calls: [], written: [], printed: [], ...run };
  const nothing = { devices: [], events: [], holdsSecret: () => false };
  return builtInJobRules[rule]?.(whole, { ...nothing, ...expected });
}

const hex = (text: string) => Buffer.from(text).toString("hex");
const inPairs = (text: string, between: string) => text.match(/..?/g)!.join(between);

/** The forms in which a program writes a key. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => secret,
  "in small letters": (secret) => secret.toLowerCase(),
  "in capitals": (secret) => secret.toUpperCase(),
  "with colons": (secret) => inPairs(secret, ":"),
  "with hyphens": (secret) => inPairs(secret, "-"),
  "with blanks": (secret) => inPairs(secret, " "),
  "percent-encoded": (secret) => `%${inPairs(hex(secret), "%")}`,
  "in hexadecimal": hex,
  "in base64": (secret) => Buffer.from(secret).toString("base64"),
  "in base64url": (secret) => Buffer.from(`key ${secret}`).toString("base64url"),
};

test.each(Object.entries(FORMS))("a key or a secret must not be written %s", (_form, write) => {
  const devices = [
    "0004A30B00000001",
    { dev_eui: eui, app_key: "0011223344556677AABBCCDDEEFF0011" },
    { dev_eui: eui, app_key: new Secret("FFEEDDCCBBAA99887766554433221100") },
  ];
  const holdsSecret = secretsOf(sandbox, devices, ["own secret", ""]);
  const keys = devices.flatMap((each) => (typeof each === "string" ? [] : each.app_key));
  const all = [sandbox.apiKey, sandbox.mobile.apiKey, "own secret", ...keys.map(revealText)];
  // A job that did not end has written something too.
  for (const end of [undefined, { sandbox } as JobEnd])
    for (const secret of all)
      expect(
        problemOf(
          "no secret is written",
          { holdsSecret },
          { end, written: [{ where: "the log", text: `at ${write(secret)}.` }] },
        ),
      ).toBe("the log contains a key or another secret.");
});

test("what shares a part with a secret may be written", () => {
  const devices = [{ dev_eui: "0011223344556677", app_key: "00112233445566778899AABBCCDDEEFF" }];
  const holdsSecret = secretsOf(sandbox, devices, ["1234"]);
  const written = [eui, "0011223344556677", "sk_sandbox_", "2026-11-20T12:34:00Z"].map((text) => ({
    where: "the log",
    text,
  }));
  expect(problemOf("no secret is written", { holdsSecret }, { written })).toBeUndefined();
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
