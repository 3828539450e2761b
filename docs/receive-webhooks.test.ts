import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startSandbox, systemClock } from "@fieldmesh/sandbox";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { startPostgres } from "../tools/servers.ts";
import { describeWith } from "../tools/testing/describe-with.ts";
import { freePort } from "../tools/servers.ts";
import { openPrograms } from "./programs.ts";

// The programs with which the guide begins, as they are but for the port, and deliveries over HTTP.

const secret = "whsec_test_secret_only";
const guide = readFileSync(join(import.meta.dirname, "guides", "receiving-webhooks.md"), "utf8");
const [, printed = ""] =
  /^The receiver prints what it has stored:\n\n```text\n([^]*?)^```$/m.exec(guide) ?? [];
const programs = openPrograms("receiving-webhooks");
/** Removes the file that the program with SQLite writes into the current folder. */
const removeDatabase = () => rmSync(join(process.cwd(), "events.db"), { force: true });
const server = await startPostgres();
afterEach(programs.stop);
afterAll(async () => {
  programs.remove();
  removeDatabase();
  if (server.url !== undefined) await server.stop();
});

/** Runs the program of a tab, and makes a sandbox deliver the same event to it twice. */
async function receive(tab: string, env: NodeJS.ProcessEnv): Promise<void> {
  removeDatabase();
  await using sandbox = await startSandbox({ clock: systemClock });
  const port = await freePort();
  const file = programs.write(tab, "## With a database", port, tab);
  const { output } = await programs.start(file, port, { WEBHOOK_SECRET: secret, ...env });
  sandbox.webhooks.register({ url: `http://127.0.0.1:${port}/hooks`, secret });
  await sandbox.webhooks.trigger("sim.activated");
  await vi.waitFor(() => expect(output()).toBe(printed), { timeout: 10_000 });
  const [delivery] = sandbox.webhooks.deliveries();
  await sandbox.webhooks.replay(delivery!.id);
  const responses = sandbox.webhooks
    .deliveries()
    .flatMap(({ attempts }) => attempts.map(({ status }) => status));
  expect(responses).toEqual([200, 200]);
  expect(output()).toBe(printed);
}

test("the first receiver of the guide stores what the sandbox delivers, once, with SQLite", () =>
  receive("SQLite", {}));

describeWith(server, "PostgreSQL", (url) => {
  test("the first receiver of the guide stores what the sandbox delivers, once", () =>
    receive("PostgreSQL", { DATABASE_URL: url }));
});
