import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";

// As a user works: a sandbox in one terminal, a listener in the second, and commands in the third.

const folder = mkdtempSync(join(tmpdir(), "fieldmesh-program-"));
const program = join(import.meta.dirname, "../../src/commands/cli.ts");
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Running {
  readonly child: ChildProcess;
  readonly printed: { stdout: string; stderr: string };
}

function start(...args: string[]): Running {
  const env = {
    ...process.env,
    XDG_RUNTIME_DIR: folder,
    XDG_CONFIG_HOME: folder,
    FIELDMESH_SANDBOX: undefined,
    FIELDMESH_WEBHOOK_SECRET: undefined,
  };
  const child = spawn(process.execPath, [program, ...args], { env });
  started.push(child);
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  return { child, printed };
}

async function run(...args: string[]) {
  const { child, printed } = start(...args);
  const [code] = (await once(child, "close")) as [number];
  return { code, ...printed };
}

async function until({ child, printed }: Running, text: string): Promise<void> {
  while (!`${printed.stdout}${printed.stderr}`.includes(text))
    await Promise.race([once(child.stdout!, "data"), once(child.stderr!, "data")]);
}

test("the listener forwards an event that trigger emits in the sandbox", async () => {
  const signatures: string[] = [];
  const receiver = createServer((request, response) => {
    signatures.push(String(request.headers["platform-signature"]));
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;

  const sandbox = start("sandbox", "--port", "0", "--no-cors", "--mobile-deployment", "hosted");
  await until(sandbox, "Ctrl-C");
  // The switches of the sandbox are options of this program too, and no other is set.
  expect(sandbox.printed.stdout).toContain(
    "Switches  --no-cors\n            --mobile-deployment hosted\n\n",
  );
  const listener = start("webhooks", "listen", "--forward-to", url);
  await until(listener, "Ctrl-C");
  const triggered = await run("webhooks", "trigger", "sim.activated");
  expect(triggered).toMatchObject({ code: 0, stdout: expect.stringContaining("delivered  204") });
  expect(triggered.stderr).toMatch(/^Sandbox {2}http:\/\/127\.0\.0\.1:\d+\n$/);
  await until(listener, "responded 204");
  expect(signatures).toEqual([expect.stringMatching(/^t=\d+,v1=/)]);
  expect(listener.printed.stderr).not.toContain("whsec_");

  for (const { child } of [listener, sandbox]) {
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([130, null]);
  }
  receiver.close();
});
