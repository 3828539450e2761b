import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventTypes, type EventType } from "@fieldmesh/webhook-types";
import type { EventRouter } from "@fieldmesh/webhook-types/router";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { services } from "@fieldmesh/sandbox/internal/services";
import { packages, publicEntries } from "../../tools/packages.ts";
import { compile } from "../compile.ts";
import { isObservedStatus } from "../documents/error-marks.ts";
import { rowsOf } from "../documents/operations.ts";
import { readSourceTypes } from "../documents/source-types.ts";
import { ENTRY_TEXTS } from "./entry-texts.ts";
import { generatePages } from "./write-pages.ts";

// Inside docs, so that imports resolve as they do for a user of the packages. A folder of its own: another test removes .samples.
const folder = join(import.meta.dirname, "..", ".samples-handlers");
const fileOf = (name: string): string => join(folder, `${name}.ts`);
const pages = await generatePages();
const calls = services.flatMap(({ name: service, tables }) =>
  Object.entries(tables).flatMap(([resource, table]) =>
    Object.entries(table).map(([name, row]) => {
      const call = `${resource}.${name}`;
      const page = pages.get(`reference/${service}/${resource}.md`) ?? "";
      const [, section = ""] = page.split(new RegExp(`^## ${call}\\b.*$`, "m"));
      return { service, resource, call, row, section: section.split(/^## /m)[0] ?? "" };
    }),
  ),
);

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const type of eventTypes) writeFileSync(fileOf(type), programIn(eventPage(type)));
  for (const { service, call, section } of calls)
    writeFileSync(fileOf(`${service}-${call}`), programIn(section));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function eventPage(type: string): string {
  return pages.get(`events/${type}.md`) ?? "";
}

/** Returns the program that a page shows to copy. */
function programIn(text: string): string {
  return /^```ts \[TypeScript\]\n([^]*?)^```$/m.exec(text)?.[1] ?? "";
}

test("every endpoint has its section, its command, its sample and its errors", () => {
  for (const { service, resource, call, row, section } of calls) {
    expect(section).toContain(`<code>${row.route.split(" ")[1]}</code>`);
    expect(section).toContain("```sh [curl]");
    expect(section).toMatch(/```(json|txt) \[Response\]/);
    for (const status of Object.keys(row.errors)) expect(section).toContain(`| \`${status}\` |`);
    for (const name of Object.keys({ ...row.path, ...row.query }))
      expect(section).toContain(`| \`${name}\``);
    const anchor = call.toLowerCase().replace(".", "-");
    expect(pages.get(`reference/${service}.md`)).toContain(
      `<a id="${anchor}"></a>[\`${call}\`](./${service}/${resource}.md#${anchor})`,
    );
  }
});

test("the reference marks each error and each rule of a field that the contract does not state", () => {
  const mark = ">observed</small>";
  const types = readSourceTypes();
  for (const service of services) {
    const sections = new Map(calls.map(({ call, section }) => [call, section]));
    for (const row of rowsOf(service, types))
      for (const [status, meaning] of Object.entries(row.endpoint.errors)) {
        const lines = (sections.get(row.call) ?? "").split("\n");
        const line = lines.find((each) => each.startsWith(`| \`${status}\` |`)) ?? "";
        const own = line.slice(line.indexOf(meaning) + meaning.length).split(";")[0] ?? "";
        expect({ call: row.call, status, isMarked: own.includes(mark) }).toEqual({
          call: row.call,
          status,
          isMarked: isObservedStatus(row, Number(status)),
        });
      }
  }
  const console = pages.get("reference/console/records.md") ?? "";
  expect(console).toMatch(
    /^\| `method` .*JSON: string \(observed: `post`, `get`, `put`, `patch`\)/m,
  );
  expect(console).toMatch(/^\| `name` .*JSON: string \(observed: at most 50 characters\)/m);
  expect(console).toMatch(/^\| `category` .*such as `uplink` \(observed: `uplink_dropped`, /m);
  expect(console).toMatch(/Other fields are rejected, unless a deployment needs them .*>observed</);
  expect(pages.get("reference/mobile/records.md")).toMatch(
    /Running deployments require `email` and `name` .*>observed</,
  );
  expect(eventPage("port.failed")).toMatch(
    /`data\.object\.status_reason_code`.*\(observed: `name_mismatch`/,
  );
});

test.each(packages)("every entry of $id has a sentence in the index of the API", ({ manifest }) => {
  for (const path of publicEntries(manifest)
    .map(([each]) => each)
    .filter((each) => each !== "."))
    expect(ENTRY_TEXTS).toHaveProperty([path.replace("./", "")]);
});

test("no field, parameter or event is without a description", () => {
  const generated = [...pages].filter(([path]) => /^(reference|events)/.test(path));
  const empty = generated.flatMap(([path, text]) =>
    text
      .split("\n")
      .filter((line) => /^\|.*\|\s*\|$/.test(line))
      .map((line) => `${path}: ${line}`),
  );
  expect(empty).toEqual([]);
});

test("an amount is a bigint and a key a Secret in TypeScript, beside their types in JSON", () => {
  const account = pages.get("reference/ledger/records.md") ?? "";
  expect(account).toMatch(/^\| `balance` .*`bigint \\\| null`<br>.*JSON: integer or string/m);
  const device = pages.get("reference/console/records.md") ?? "";
  expect(device).toMatch(/^\| `app_key` \| `Secret<string>`<br>.*JSON: string/m);
});

test("the catalog lists every event type and links to its page", () => {
  const sections = (pages.get("events.md") ?? "").split('<section class="fm-event" ').slice(1);
  const types = sections.map((section) => /data-type="(.*?)"/.exec(section)?.[1] ?? "");
  expect(types.sort()).toEqual([...eventTypes].sort());
  for (const section of sections) {
    const [, id = "", type = ""] = /id="(.*?)" data-type="(.*?)"/.exec(section) ?? [];
    expect(id).toBe(type.replaceAll(".", "-"));
    expect(section).toContain(`](./events/${type}.md)`);
  }
});

test.for([...eventTypes])("the fields of %s are those of its sample", (type) => {
  const page = eventPage(type);
  const sample = JSON.parse(/^```json\n([^]*?)^```$/m.exec(page)?.[1] ?? "{}") as object;
  const [, seen = ""] = page.split("The fields of the sample:");
  const rows = seen.split("The event may also have:")[0] ?? "";
  const listed = [...rows.matchAll(/^\| `([^`]+)`/gm)].map(([, path]) => path);
  expect(new Set(pathsIn(sample))).toEqual(new Set(listed));
  expect(page).toContain(`npx @fieldmesh/sandbox trigger ${type}\n`);
});

/** Lists the paths of the fields of a value. */
function pathsIn(value: unknown, prefix = ""): string[] {
  if (Array.isArray(value))
    return value.flatMap((each) => pathsIn(each, `${prefix.slice(0, -1)}[].`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    `${prefix}${name}`,
    ...pathsIn(inner, `${prefix}${name}.`),
  ]);
}

test("a secret and personal data are marked, and an earlier type names what it likely is today", () => {
  expect(eventPage("sim.activated")).toMatch(/`data\.object\.activation_code`.*>secret</);
  expect(eventPage("sim.activated")).toMatch(/`data\.object\.msisdn`.*>personal data</);
  expect(eventPage("sim.ordered")).toContain("today likely `sim.provisioned`");
  expect(eventPage("sim.ordered")).toContain("](./sim.provisioned.md)");
});

test("the programs to copy compile", () => {
  const names = [...eventTypes, ...calls.map(({ service, call }) => `${service}-${call}`)];
  expect(compile(names.map(fileOf))).toBe("");
});

test.for([...eventTypes])("the handler of %s reads its event", async (type: EventType) => {
  const log = vi.spyOn(console, "log").mockReturnValue();
  const { router } = (await import(fileOf(type))) as { router: EventRouter };
  const event = sampleEvent(type);
  await router.dispatch(event);
  const [values = []] = log.mock.calls;
  log.mockRestore();
  expect(values[0]).toBe(event.id);
  // What the pages print is known, and neither a secret nor personal data.
  for (const value of values) expect(["string", "number", "boolean"]).toContain(typeof value);
  const source = programIn(eventPage(type));
  for (const line of source.split("\n")) expect(line.length).toBeLessThanOrEqual(76);
});
