import { expect, test } from "vitest";
import { createSandbox } from "../engine/sandbox/sandbox.ts";
import { presets } from "../engine/services/presets.ts";
import { switches, switchOptions } from "./switches.ts";

const deployed = Object.entries(presets).map(([service, preset]) => ({ service, ...preset }));
const find = (option: string) => switches.find((each) => each.option === option);
/** Returns the message of the error for a value that no option of a service has. */
const messageFor = (service: string, name: string): string => {
  try {
    createSandbox({ [service]: { [name]: "zzzzzzzzzz" } });
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

test("every option of a service is a switch, and every switch is an option", () => {
  const options = Object.keys(presets).flatMap((service) => {
    const [, names = ""] = messageFor(service, "zzzzzzzzzz").split("Its options are ");
    return names
      .replace(/\.$/, "")
      .split(", ")
      .map((name) => `${service}.${name}`);
  });
  const named = switches.map(({ option }) => option.split(".").slice(0, 2).join("."));
  expect([...new Set(named)].toSorted()).toEqual(
    [...options, "cors", "logSize", "logBytes"].toSorted(),
  );
  expect(new Set(switches.map(({ flag }) => flag)).size).toBe(switches.length);
});

test.each(deployed)("the defaults of $service are those of its spec", ({ service, spec }) => {
  for (const [name, value] of Object.entries(spec))
    expect([name, find(`${service}.${name}`)?.default]).toEqual([
      name,
      value === Infinity ? null : value,
    ]);
});

test.each(deployed)('the text of $service says what "hosted" sets', ({ service, spec, hosted }) => {
  const usual: Readonly<Record<string, unknown>> = { ...spec };
  const differing = Object.entries(hosted).filter(([name, value]) => usual[name] !== value);
  const about = find(`${service}.deployment`)?.about ?? "";
  const said = [...about.matchAll(/`(\w+)` to (?:`"(.+?)"`|(\d+))/g)].map(
    ([, name, text, number]) => [name, text ?? Number(number)],
  );
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(differing));
});

const described: Readonly<Record<string, string>> = {
  // A switch is named as it is typed, and its default as well.
  "console-uplink-interval":
    "milliseconds between two uplinks of a device, by the clock of the sandbox. Infinity for devices that never send (default: 600000, ten minutes)",
  "mapper-deployment":
    'the server that the map plays: that of the published spec, or a hosted deployment (observed). "hosted" sets --mapper-responses to "json" and --mapper-inputs to "observed" (default: spec)',
  "ledger-loops":
    "rows whose second page endlessly leads to itself, such as accounts.list (separated by commas; default: none)",
  "no-ledger-filters-in-cursor":
    "whether a cursor contains the filters of the first page. With false, each page reads them from its own request (default: true; false with this option)",
  // An abbreviation stays as it is.
  "mobile-budgets-reads": "the GET requests per minute for each key (default: 600, observed)",
};

test.each(Object.entries(described))("--%s is described in one line", (flag, description) => {
  expect(switchOptions().find(({ name }) => name === flag)).toMatchObject({ description });
});

test("an option has the group of its service, its choices, and the kind of its value", () => {
  const known = new Map(switchOptions().map((each) => [each.name, each]));
  expect(known.get("console-lookup")).toMatchObject({
    value: "value",
    choices: ["list", "descriptor", "device"],
    group: "Console",
  });
  expect(known.get("log-size")).toMatchObject({ value: "number" });
  expect(known.get("log-size")).not.toHaveProperty("group");
  expect(known.get("ledger-loops")).toMatchObject({ value: "names" });
  expect(known.get("no-ledger-filters-in-cursor")).not.toHaveProperty("value");
});

test("a sandbox with all defaults as options is one without options", async () => {
  const options: Record<string, Record<string, unknown>> = {};
  for (const { option, default: value } of switches) {
    const [service = "", name = "", field] = option.split(".");
    if (name === "") continue;
    const own = (options[service] ??= {});
    const read = value ?? Infinity;
    own[name] = field === undefined ? read : { ...(own[name] as object), [field]: read };
  }
  const [plain, explicit] = [createSandbox(), createSandbox(options)];
  expect(explicit.snapshot().services).toEqual(plain.snapshot().services);
  for (const path of ["blocks/height", "stats", "accounts", "accounts/rich", "blocks"]) {
    const [one, other] = await Promise.all(
      [plain, explicit].map(async ({ ledger }) =>
        (await ledger.fetch(`${ledger.baseUrl}/v1/${path}`)).text(),
      ),
    );
    expect([path, other]).toEqual([path, one]);
  }
});

test("a sandbox accepts the choices of a switch, and no others", () => {
  const listed = switches.filter(({ kind }) => kind === "choice");
  expect(listed.length).toBeGreaterThan(15);
  for (const { option, choices } of listed) {
    const [service = "", name = ""] = option.split(".");
    const accepted = [...messageFor(service, name).matchAll(/"([^"]+)"/g)].map(([, one]) => one);
    expect([option, accepted]).toEqual([option, choices]);
  }
});

const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  choice: ["of another kind", true, 1, null],
  boolean: ["yes", 1, null],
  number: ["5", -1, Number.NaN, true, null],
  list: ["sk", [1], 1, null],
};

test.each(switches.filter(({ option }) => option.includes(".")))(
  "$option with a wrong value is an error that names it, before anything starts",
  ({ option, kind }) => {
    const [service = "", name = "", field] = option.split(".");
    for (const value of WRONG[kind] ?? []) {
      const options = { [service]: { [name]: field === undefined ? value : { [field]: value } } };
      expect(() => createSandbox(options)).toThrow(TypeError);
      expect(() => createSandbox(options)).toThrow(new RegExp(`\\b${field ?? name} must be `));
    }
  },
);
