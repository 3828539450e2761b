import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fromConsoleUplink } from "@fieldmesh/mapper-client";
import { services } from "@fieldmesh/sandbox/internal/services";
import { sign } from "@fieldmesh/webhook-types";
import { HOOKS } from "../packages/http/src/options/hooks.ts";
import { readSettings } from "../packages/http/src/options/settings.ts";
import * as checks from "../packages/webhook-types/src/receiver/check-options.ts";
import * as stores from "../packages/webhook-types/src/stores/index.ts";
import {
  responseOf,
  type DeliveryOutcome,
} from "../packages/webhook-types/src/receiver/responses.ts";
import { everyOutcome } from "../tools/testing/every-outcome.ts";

// What tables of the guides say, compared with the code.

const read = (guide: string): string =>
  readFileSync(join(import.meta.dirname, "guides", guide), "utf8");

test("the guide says of each hook when it is called", () => {
  const [, section = ""] = read("clients.md").split("## Hooks and logs");
  expect(Object.keys(HOOKS).filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

const guides = readdirSync(join(import.meta.dirname, "guides"));

/** The methods of all clients, by their resources. */
const methods = services.flatMap(({ name, createClient }) => {
  const client = createClient({ baseUrl: "http://localhost", apiKey: "sk_sandbox_1" });
  const resources = Object.entries(client).filter(([, members]) => typeof members === "object");
  return resources.flatMap(([resource, members]: [string, object]) =>
    Object.keys(members).map((method) => ({ name, resource, method })),
  );
});

test.each(services)("a guide has each method of the $name client", ({ name: service }) => {
  const all = guides.map(read).join("\n");
  const missing = methods
    .filter(({ name }) => name === service)
    .filter(({ resource, method }) => {
      // A name that only one resource has may be without it, as in a table.
      const isOnly = methods.filter((each) => each.method === method).length === 1;
      const owner = resource === service || service === "mapper" ? "client" : resource;
      return !(
        new RegExp(`\\b${owner}\\.${method}\\b`).test(all) ||
        (isOnly && all.includes(`\`${method}\``))
      );
    });
  expect(missing, "describe it where it belongs in docs/guides").toEqual([]);
});

test("a guide has each store, and each option of a receiver", () => {
  const all = guides.map(read).join("\n");
  const { aboutDeliveries, aboutEvents, aboutReports } = checks;
  const own = { ...stores, ...aboutDeliveries(), ...aboutEvents(""), ...aboutReports };
  const missing = Object.keys(own).filter((name) => !new RegExp(`\\b${name}\\b`).test(all));
  expect(missing, "describe it in docs/guides/receiving-webhooks.md or databases.md").toEqual([]);
});

const MOST_GUIDES = 32;
/** With code, as `wc -w` counts: about a quarter of an hour to read. */
const MOST_WORDS = 2_500;

test("there are few guides, and none is long", () => {
  expect(guides.length, "merge two that belong together").toBeLessThanOrEqual(MOST_GUIDES);
  const long = guides
    .map((name) => ({ name, words: read(name).trim().split(/\s+/).length }))
    .filter(({ words }) => words > MOST_WORDS);
  expect(long, "delete what other pages say").toEqual([]);
});

test("the guide states the default number of attempts that the code uses", () => {
  const { attempts } = readSettings({ baseUrl: "https://things.test" });
  expect(read("clients.md")).toContain(`| \`retry\` | ${attempts} attempts |`);
});

const decoders = read("mapping.md")
  .split("| decoder | returns | lacks | pass as `fields` |\n")[1]!
  .split("\n\n")[0]!
  .split("\n")
  .slice(1)
  .map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim())
      .slice(1),
  );

test.each(decoders)("the guide says which fields to pass for the decoder %s", (...cells) => {
  const [, returned = "", lacks = "", given = ""] = cells;
  const payload = {};
  for (const [number, [, path = ""]] of [...returned.matchAll(/`([^`]+)`/g)].entries())
    put(payload, path.split("."), number + 1.5);
  const uplink = {
    dev_eui: "0004A30B00F0A101",
    fcnt: 5,
    hotspots: [{ lat: 47, long: 8, reported_at: 1_795_165_173_796 }],
    decoded: { payload: { LON: "ON", ...payload } },
  };
  const matches = given.matchAll(/(\w+): ("([^"]+)"|\d+)/g);
  const pairs = [...matches].map(([, field, number, path]) => [field!, path ?? Number(number)]);
  const fields = Object.fromEntries(pairs) as Record<string, string | number>;
  expect(fromConsoleUplink(uplink, { fields })).toMatchObject({ isMappable: true });
  const paths = Object.entries(fields).filter(([, value]) => typeof value === "string");
  const without = fromConsoleUplink(uplink, { fields: Object.fromEntries(paths) });
  const problems = without.isMappable ? [] : without.problems;
  const names = problems.map(({ path }) => path.replace("decoded.payload.", ""));
  expect(names.join(", ") || "nothing").toBe(lacks.replaceAll("`", ""));
});

/** Puts a value at a path into a payload. A number in a path is a place in a list. */
function put(payload: object, [key = "", ...rest]: string[], value: number): void {
  const parent = payload as Record<string, unknown>;
  if (rest.length === 0) parent[key] = value;
  else put((parent[key] ??= /^\d+$/.test(rest[0]!) ? [] : {}) as object, rest, value);
}

test.each(Object.keys(everyOutcome) as DeliveryOutcome[])(
  "the guide says with which status a receiver responds to %s",
  (outcome) => {
    const [, section = ""] = read("receiving-webhooks.md").split("\n## Responses\n");
    const line = section
      .split("\n")
      .find((each) => each.startsWith("- ") && each.includes(`\`${outcome}\``));
    const [, own, ofLine] =
      new RegExp(`\\*\\*(?:(?=.*\`${outcome}\` \\((\\d+)\\))|(\\d+))`).exec(line ?? "") ?? [];
    const { status, headers } = responseOf(outcome);
    expect(Number(own ?? ofLine)).toBe(status);
    if ("retry-after" in headers) expect(line).toContain("`Retry-After`");
  },
);

test("the message of the protocol is signed as we sign", async () => {
  const [, body = "", header = ""] =
    /^body: +(.*)\nPlatform-Signature: +(.*)$/m.exec(read("webhooks.md")) ?? [];
  const timestamp = Number(/^t=(\d+)/.exec(header)?.[1]);
  const headers = await sign({ secret: "whsec_test_secret_only", body, timestamp });
  expect(headers["platform-signature"]).toBe(header);
});
