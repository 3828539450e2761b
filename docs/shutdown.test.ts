import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { signedRequest } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { afterAll, afterEach, expect, test, vi } from "vitest";

// The program of the guide, as it is but for the port.

const secret = "whsec_test_secret_only";
// Inside docs, so that imports resolve as they do for a user of the packages.
const folder = join(import.meta.dirname, ".samples-shutdown");
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the program, and returns it with its output and a way to deliver an event to it. */
async function start() {
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, "close");
  const guide = readFileSync(join(import.meta.dirname, "guides", "receiving-webhooks.md"), "utf8");
  const [, section = ""] = guide.split("\n## Shutting down\n");
  const [, program = ""] = /^```ts check\n([^]*?)^```$/m.exec(section) ?? [];
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "receiver.ts");
  writeFileSync(file, program.replace("3000", String(port)));
  const child = spawn(process.execPath, [file], {
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      WEBHOOK_SECRET: secret,
      EVENTS_FILE: join(folder, "events.db"),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const output: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  const url = `http://127.0.0.1:${port}/hooks`;
  // It listens as soon as it responds to anything.
  await vi.waitFor(() => fetch(url), { timeout: 30_000, interval: 50 });
  const deliver = async (id: string): Promise<string> => {
    const event = sampleEvent("sim.activated", { id });
    return (await fetch(await signedRequest(event, { url, secret }))).text();
  };
  return { child, output, url, deliver };
}

test("a stopped receiver handles what is in progress, accepts no more, and knows it after a restart", async () => {
  const first = await start();
  const inProgress = first.deliver("evt_1");
  await vi.waitFor(() => expect(first.output.join("")).toContain("working: evt_1"));
  const exit = once(first.child, "exit");
  first.child.kill("SIGTERM");
  await vi.waitFor(() => expect(fetch(first.url)).rejects.toThrow("fetch failed"));
  expect(await inProgress).toBe("handled");
  const respondedAt = Date.now();
  expect(await exit).toEqual([0, null]);
  // The connection of a response stays open for 5 seconds otherwise.
  expect(Date.now() - respondedAt).toBeLessThan(2_500);

  const second = await start();
  expect(await second.deliver("evt_1")).toBe("duplicate");
  expect(await second.deliver("evt_2")).toBe("handled");
});
