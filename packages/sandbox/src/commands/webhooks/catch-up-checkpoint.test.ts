import { readdirSync, readFileSync, statSync, writeFileSync, chmodSync } from "node:fs";
import { join } from "node:path";
import { createMobileClient } from "@fieldmesh/mobile-client";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { createSandbox, type Sandbox } from "../../engine/sandbox/sandbox.ts";
import { UsageError } from "../command-error.ts";
import { toNodeListener } from "../../server/node-listener.ts";
import { testContext } from "../testing/context.ts";
import { serveLocal } from "../testing/fake-sandbox.ts";
import { run } from "./catch-up.ts";
import { temporaryFolder } from "../../../../../tools/testing/temporary-folder.ts";
import { checkFolderOf } from "./catch-up-place.ts";

const SECRET = canaries.webhookSecret;
const PAGE = 100;
const MINUTE = 60_000;
let sandbox: Sandbox;
let folder: string;
let file: string;
beforeEach(() => {
  sandbox = createSandbox();
  folder = temporaryFolder(onTestFinished);
  file = join(folder, "place.json");
});

/** An event that happens a minute after the one before. */
async function happen(type: "plan.created" | "plan.deleted" | "sim.activated") {
  await sandbox.clock.advance(MINUTE);
  await sandbox.webhooks.trigger(type);
}

/** A receiver that rejects some types. */
async function start(rejected = new Set<string>()) {
  const types: string[] = [];
  const server = await serveLocal(
    toNodeListener(async (request) => {
      const { type } = (await request.json()) as { type: string };
      types.push(type);
      return new Response(null, { status: rejected.has(type) ? 500 : 200 });
    }),
  );
  /** Runs the command, and returns what it printed and how many requests it sent to the service. */
  async function catchUp(options: Record<string, string> = {}, from = sandbox) {
    types.length = 0;
    const before = from.log.requests().length;
    const { baseUrl, apiKey, fetch } = from.mobile;
    const client = createMobileClient({ baseUrl, apiKey, fetch });
    const context = testContext({ env: { FIELDMESH_WEBHOOK_SECRET: SECRET }, client });
    const given = { to: `${server.url}hooks`, since: "2026-11-01", checkpoint: file, ...options };
    const error: unknown = await run(context, { arguments: [], options: given }).catch(
      (thrown: unknown) => thrown,
    );
    const requests = from.log.requests().length - before;
    return { error, notes: context.notes, requests, types: [...types] };
  }
  return { catchUp, rejected, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("the next run with a checkpoint reads only what is new, and sends what was left open again", async () => {
  for (let n = 0; n < 3 * PAGE; n += 1) await happen("plan.created");
  await happen("sim.activated");
  await using receiver = await start(new Set(["sim.activated"]));
  const first = await receiver.catchUp();
  expect(first.types).toHaveLength(3 * PAGE + 1);
  expect(String(first.error)).toContain("1 events were not accepted");
  receiver.rejected.clear();
  await happen("plan.deleted");
  const second = await receiver.catchUp();
  expect(second).toMatchObject({ error: undefined, requests: 1 });
  expect(second.types).toEqual(["sim.activated", "plan.deleted"]);
});

test("the file is complete, only its user can read it, and no lock is left", async () => {
  await sandbox.webhooks.trigger("plan.created");
  await using receiver = await start();
  await receiver.catchUp();
  expect(statSync(file).mode % 0o1000).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["place.json"]);
  expect(readFileSync(file, "utf8")).not.toContain("127.0.0.1");
});

test("a checkpoint that belongs elsewhere is rejected with what to do, and kept", async () => {
  await using receiver = await start();
  await using other = await start();
  await receiver.catchUp();
  const good = readFileSync(file, "utf8");
  const cases: [string, () => ReturnType<typeof receiver.catchUp>, string][] = [
    [good, () => other.catchUp(), "belongs to another receiver"],
    [
      good,
      () => receiver.catchUp({ since: "2026-10-01" }),
      "continues from 2026-11-01T00:00:00.000Z",
    ],
  ];
  for (const [content, again, message] of cases) {
    writeFileSync(file, content);
    const { error, requests } = await again();
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toContain(message);
    expect(requests).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(content);
  }
});

test("a run that ends early keeps the earlier checkpoint", async () => {
  await using receiver = await start();
  await sandbox.webhooks.trigger("plan.created");
  await receiver.catchUp();
  const before = readFileSync(file, "utf8");
  await sandbox.webhooks.trigger("plan.deleted");
  sandbox.setFaults({ rate: 1, kinds: [403] });
  expect((await receiver.catchUp()).error).toBeInstanceOf(Error);
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("a change of order is reported", async () => {
  await using receiver = await start();
  for (const hour of [1, 2, 3])
    await sandbox.webhooks.trigger("plan.created", { created_at: `2026-11-20T0${hour}:00:00Z` });
  await receiver.catchUp();
  await sandbox.webhooks.trigger("plan.deleted", { created_at: "2026-11-10T00:00:00Z" });
  expect((await receiver.catchUp()).notes).toContain(
    "Read the whole list: its order has changed since the last run.",
  );
});

beforeEach(() => {
  folder = temporaryFolder(onTestFinished);
  file = join(folder, "place.json");
});

test("the folder of a file must exist, and be writable", async () => {
  await checkFolderOf(file);
  const missing = join(folder, "missing", "place.json");
  await expect(checkFolderOf(missing)).rejects.toThrow(
    new UsageError(
      `The file cannot be written (ENOENT): --checkpoint needs a file in a folder that exists and that you can write to.`,
    ),
  );
});

test.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
  "a folder that this user can only read is rejected",
  async () => {
    chmodSync(folder, 0o500);
    await expect(checkFolderOf(file)).rejects.toThrow(`${file} cannot be written (EACCES): `);
    chmodSync(folder, 0o700);
  },
);
