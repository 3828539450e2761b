// Every list in terminals of 100 and 60 columns: the id that other commands require is whole, and times fit.
import { stripVTControlCharacters } from "node:util";
import { createSandbox } from "@fieldmesh/sandbox";
import { expect, test } from "vitest";
import { fieldsOf } from "../src/clients/result-schema.ts";
import { createTable } from "../src/output/table.ts";
import { sayTime } from "../src/output/times.ts";
import { rowCommands } from "../src/rows/row-commands.ts";
import { readRows } from "../src/rows/with-service.ts";
import { testContext } from "./context.ts";
import { runLine } from "./run-line.ts";

const rows = await readRows();
const lists = Object.values(rows)
  .flatMap(({ commands }) => commands)
  .filter(({ list }) => list);
const rowsAsCommands = await rowCommands(["console", "ledger", "mapper", "mobile"]);
const sandbox = createSandbox();

async function run(line: string, options: object): Promise<string[]> {
  const context = testContext({ sandbox, reveal: true, env: { NO_COLOR: "1" }, ...options });
  const words = line.split(" ").map((word) => word.replace("~", " "));
  await runLine(words, rowsAsCommands, context);
  return [...context.stdout];
}

const first = async (line: string): Promise<Record<string, unknown>> =>
  JSON.parse((await run(`${line} --limit 1`, { json: true }))[0] ?? "{}") as Record<
    string,
    unknown
  >;

/** What the lists require, from other lists. */
async function lineOf(path: string): Promise<string> {
  const { fields } = lists.find((row) => row.path === path)!;
  const sources: Record<string, () => Promise<unknown>> = {
    device_id: async () => (await first("console devices list"))["id"],
    integration_id: async () => (await first("console integrations list"))["id"],
    address: async () => (await first("ledger accounts list"))["address"],
    height: async () => (await first("ledger blocks list"))["height"],
    hash: async () => (await first("ledger blocks list"))["hash"],
    min_time: async () => "-2~day",
    max_time: async () => "now",
  };
  const words = [path];
  for (const { name, required } of fields)
    if (required) words.push(`--${name.replaceAll("_", "-")}=${String(await sources[name]?.())}`);
  return `${words.join(" ")} --limit=3`;
}

test.each(lists.flatMap(({ path }) => [100, 60].map((columns) => [path, columns] as const)))(
  "%s in %i columns",
  async (path, columns) => {
    if (path === "mobile events list")
      await sandbox.webhooks.trigger("sim.activated").catch(() => undefined);
    const line = await lineOf(path);
    const records = (await run(line, { json: true })).map(
      (json) => JSON.parse(json) as Record<string, unknown>,
    );
    const shown = (await run(line, { terminal: true, columns })).map(stripVTControlCharacters);
    expect(shown.filter((text) => text.length > columns)).toEqual([]);
    if (records.length === 0) return;
    expect(shown).toHaveLength(records.length + 1);
    const [heading = ""] = shown;
    const name = heading.split(" ")[0]!.toLowerCase();
    expect(records[0]).toHaveProperty(name);
    // Events of a device have no id, and rewards begin with their time.
    const id = ["id", "address", "hash", "height"].find((each) => each in records[0]!);
    if (id !== undefined && !path.includes("rewards")) expect(["height", id]).toContain(name);
    for (const [at, text] of shown.slice(1).entries())
      if (!/_at$|time/.test(name)) expect(text.split(/ {2}/)[0]).toBe(String(records[at]![name]));
    // No time is longer than a date, and none is cut.
    expect(shown.join("\n")).not.toMatch(/\d{4}-\d\d-\d\dT|\d\d:\d\d/);
    const cells = shown.slice(1).join("\n");
    const hasTime = /(?:_AT|TIME|TIMESTAMP|CONNECTED)\b/.test(heading);
    if (hasTime) expect(cells).toMatch(/\d (?:s|min|h|days?) ago|\d{4}-\d\d-\d\d|never|in \d/);
  },
);

test("a device that never connected says so, and its record has both forms of a time", async () => {
  const fresh = createSandbox({ console: { data: "empty" } });
  const { devices } = fresh.console.state;
  const context = testContext({ sandbox: fresh });
  const client = await context.client("console");
  const { id } = await client.devices.create({
    name: "Tank",
    dev_eui: "0004A30B00000001",
    app_eui: "70B3D57ED0010001",
    app_key: "A0112233445566778899AABBCCDDEE01",
  });
  expect(devices.size).toBe(1);
  const other = { sandbox: fresh, terminal: true };
  const [, row = ""] = await run("console devices list", other);
  expect(row).toMatch(new RegExp(`^${id} .* never`));
  expect((await run(`console devices get ${id}`, other)).join("\n")).toMatch(
    /last_connected +never/,
  );
  const [, piped = ""] = await run("console devices list", { sandbox: fresh });
  // A program receives what the console sent.
  expect(piped).toContain("\t1970-01-01T00:00:00");
});

test.each([true, false])("a column that only the schema has is a dash (%s)", async (terminal) => {
  const known = await first("console devices list");
  const declared = await fieldsOf("console", ["devices", "list"]);
  const rare = declared.find((name) => !Object.hasOwn(known, name));
  const [, row] = await run(`console devices list --columns=id,${rare}`, { terminal });
  expect([rare, row]).toEqual([expect.any(String), expect.stringMatching(/^\S+\s+-$/)]);
});

const NOW = Date.parse("2026-11-20T12:00:00Z");
test.each([
  ["last_connected", "2026-11-20T11:58:00", "2 min ago"],
  ["reported_at", String(NOW - 5_000), "5 s ago"],
  ["time", NOW / 1_000 - 7_200, "2 h ago"],
  ["timestamp", BigInt(NOW) * 1_000_000n, "0 s ago"],
  ["created_at", "2026-11-18T12:00:00.000Z", "2 days ago"],
  ["created_at", new Date(NOW - 86_400_000), "1 day ago"],
  ["created_at", "2025-01-02T03:04:05Z", "2025-01-02"],
  ["updated_at", "2026-11-20T12:03:00Z", "in 3 min"],
  ["last_connected", null, "never"],
  ["last_connected", "1970-01-01T00:00:00", "never"],
  ["created_at", "soon", undefined],
  ["name", "2026-11-20T11:58:00Z", undefined],
])("%s: %s is %s", (name, value, said) => {
  expect(sayTime(name, value, NOW)).toBe(said);
});

test("a narrow table cuts its widest columns, then leaves out the last, and never cuts ids", () => {
  const record = {
    id: "x".repeat(20),
    name: "n".repeat(40),
    note: "o".repeat(40),
    other_id: "y".repeat(20),
  };
  const shownAt = (width: number) => {
    const table = createTable({ reveal: false, isColored: false, width });
    const [heading = "", row = ""] = table.start([record]);
    return [heading.split(/ +/).length, row.length <= width, table.left.join(" ")];
  };
  expect(shownAt(200)).toEqual([4, true, ""]);
  expect(shownAt(100)).toEqual([4, true, ""]);
  expect(shownAt(60)).toEqual([3, true, "other_id"]);
  expect(shownAt(40)).toEqual([2, true, "note other_id"]);
  expect(shownAt(20)).toEqual([1, true, "name note other_id"]);
});
