import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "@fieldmesh/core";
import { createSandbox, createVirtualClock } from "@fieldmesh/sandbox";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres } from "../../../../tools/servers.ts";
import { canaries } from "../../../../tools/canaries/canaries.ts";
import { runRepair, runVerify } from "../../src/mirror/compare-mirror.ts";
import { runCommand, testContext, type TestContextOptions } from "../context.ts";

const folder = mkdtempSync(join(tmpdir(), "fieldmesh-mirror-"));
const path = (name: string) => join(folder, name);
const sandbox = createSandbox({ clock: systemClock });
const postgres = await startPostgres();
afterAll(async () => {
  rmSync(folder, { recursive: true });
  if (postgres.url !== undefined) await postgres.stop();
});

const migrationOf = (database: string): string =>
  readFileSync(
    join(import.meta.dirname, "../../../mirror/migrations", database, "001-mirror.sql"),
    "utf8",
  );
const contextOf = (FIELDMESH_MIRROR_URL: string | undefined, options: TestContextOptions = {}) =>
  testContext({ sandbox, env: { FIELDMESH_MIRROR_URL }, ...options });

let files = 0;
function newFile(): string {
  const file = path(`${(files += 1)}.db`);
  const database = new DatabaseSync(file);
  database.exec(migrationOf("sqlite"));
  database.close();
  return `sqlite:${file}`;
}

beforeAll(async () => {
  for (const id of ["sub_1", "sub_2"])
    await sandbox.webhooks.trigger("subscriber.locked", { data: { object: { id } } });
});

test("verify exits with 4 until repair has written the rows, which it shows and asks about", async () => {
  const url = newFile();
  await expect(runCommand(runVerify, contextOf(url))).rejects.toMatchObject({ exitCode: 4 });
  const declined = contextOf(url, { answers: [false] });
  await expect(runCommand(runRepair, declined)).rejects.toMatchObject({
    message: "Canceled. Nothing was changed.",
    exitCode: 1,
  });
  expect(declined.questions).toEqual([expect.stringMatching(/^Write \d+ rows\?$/)]);
  expect(declined.stdout.join("\n")).toContain("missing    subscriber sub_1 (sandbox)");
  const accepted = contextOf(url, { answers: [true] });
  await runCommand(runRepair, accepted);
  expect(accepted.stdout.at(-1)).toMatch(/^\d+ rows written\.$/);
  const done = contextOf(url, { json: true });
  await runCommand(runVerify, done);
  expect(JSON.parse(done.stdout.join(""))).toMatchObject({
    differs: [],
    missing: [],
    notChecked: 0,
  });
});

test("a difference is shown by the names of its columns, and repair needs no question with --yes", async () => {
  const url = newFile();
  await runCommand(runRepair, contextOf(url, { yes: true }));
  const database = new DatabaseSync(url.slice("sqlite:".length));
  database.exec("UPDATE fieldmesh_mirror SET state = '{}' WHERE id = 'sub_1'");
  const context = contextOf(undefined);
  writeFileSync(path("url"), `${url}\n`, { mode: 0o600 });
  await expect(runCommand(runVerify, context, { urlFile: path("url") })).rejects.toMatchObject({
    message: expect.stringMatching(/^1 rows differ or are missing\./) as string,
    exitCode: 4,
  });
  expect(context.stdout).toEqual(["differs    subscriber sub_1 (sandbox)  state"]);
  const again = contextOf(url, { json: true, yes: true });
  await runCommand(runRepair, again);
  expect(JSON.parse(again.stdout.join(""))).toMatchObject({ written: 1, changedSince: [] });
  database.close();
});

test.each([
  [undefined, {}, /is missing: set FIELDMESH_MIRROR_URL, or add --url-file/],
  ["mysql://u:secret@h/d", {}, /begins with neither postgres:\/\/ nor sqlite:/],
  ["sqlite:/nowhere/mirror.db", {}, /^The file of the mirror does not exist/],
  ...["canary:w/ord@h/d", "canary%ff@h/d", "canary@h:99999/d", "canary#x@h/d", "canary@h/d%ff"].map(
    (rest): [string, object, RegExp] => [
      `postgres://u:${rest}`,
      {},
      /^The connection string of the mirror cannot be read: .* such as %23 for #/,
    ],
  ),
  [undefined, { urlFile: "/nowhere/url" }, /could not be read: it does not exist/],
])(
  "a connection string that cannot be used is an error before any request",
  async (url, options, problem) => {
    const context = contextOf(url);
    const error: unknown = await runCommand(runVerify, context, options).catch((thrown) => thrown);
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(problem) as string });
    expect(inspect(error)).not.toContain("canary");
  },
);

test("a database without the tables, a wrong field and an unknown tenant are errors that say what to do", async () => {
  new DatabaseSync(path("empty.db")).close();
  await expect(
    runCommand(runVerify, contextOf(`sqlite:${path("empty.db")}`)),
  ).rejects.toMatchObject({
    message: expect.stringContaining("This database has no tables of a mirror.") as string,
    exitCode: 1,
  });
  const misspelled = runCommand(runVerify, contextOf(newFile()), { personal: "sim.msidn" });
  await expect(misspelled).rejects.toThrow('Did you mean "sim.msisdn"?');
  const url = newFile();
  await runCommand(runRepair, contextOf(url, { yes: true }), { tenant: "acme" });
  await expect(runCommand(runVerify, contextOf(url))).rejects.toMatchObject({ exitCode: 4 });
  await runCommand(runVerify, contextOf(url), { tenant: "acme" });
});

test("an object with a date that is ahead is named, and is neither a difference nor repaired", async () => {
  const ahead = createSandbox({ clock: createVirtualClock("2126-11-20T08:00:00Z") });
  await ahead.webhooks.trigger("subscriber.locked", { data: { object: { id: "sub_3" } } });
  const url = newFile();
  for (const run of [runVerify, runRepair]) {
    const context = contextOf(url, { sandbox: ahead });
    await runCommand(run, context);
    expect(context.stdout[0]).toBe("wrong date subscriber sub_3 (sandbox)");
    expect(context.stderr.join("\n")).toContain("1 objects were not compared");
  }
});

test("a service without events is said, and is no success unless the mirror is empty too", async () => {
  const url = newFile();
  const empty = { sandbox: createSandbox({ clock: systemClock }) };
  await runCommand(runVerify, contextOf(url, empty));
  await runCommand(runRepair, contextOf(url, { yes: true }));
  for (const run of [runVerify, runRepair]) {
    const message = expect.stringMatching(
      /^The service lists no event, so none of the [1-9]\d* rows could be compared\. Check MOBILE_URL/,
    ) as string;
    const options = { ...empty, yes: true };
    await expect(runCommand(run, contextOf(url, options))).rejects.toMatchObject({
      message,
      exitCode: 1,
    });
  }
});

test("no message shows the password of a connection string", async () => {
  const url = `postgres://user:${canaries.token}@127.0.0.1:1/mirror`;
  const error: unknown = await runCommand(runVerify, contextOf(url)).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ exitCode: 1 });
  expect(String(error)).not.toContain(canaries.token);
});

describe.skipIf(postgres.url === undefined)("PostgreSQL", () => {
  test("verify and repair work on a server", async () => {
    const url = String(postgres.url);
    const pool = new pg.Pool({ connectionString: url });
    await pool.query(migrationOf("postgres"));
    await runCommand(runRepair, contextOf(url, { yes: true }));
    const { rows } = await pool.query(
      "SELECT id FROM fieldmesh_mirror WHERE family = 'subscriber' ORDER BY id",
    );
    await pool.end();
    expect(rows).toEqual(expect.arrayContaining([{ id: "sub_1" }, { id: "sub_2" }]));
    await runCommand(runVerify, contextOf(url));
  });
});
