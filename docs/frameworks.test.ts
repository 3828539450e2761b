import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { signedRequest } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

// The programs of the guide, as they are but for the port.

const secret = "whsec_test";
const event = sampleEvent("sim.activated");
// Inside docs, so that imports resolve as they do for a user of the packages.
const folder = join(import.meta.dirname, ".samples-frameworks");
const guide = readFileSync(join(import.meta.dirname, "guides", "frameworks.md"), "utf8");
const children: ChildProcess[] = [];

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  writeProgram("receiver", "# Frameworks");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the program below a heading of the guide to a file, and returns its path. */
function writeProgram(name: string, heading: string, port = 3_000): string {
  const [, section = ""] = guide.split(`\n${heading}\n`);
  const [, program = ""] = /^```ts(?: check)?\n([^]*?)^```$/m.exec(section) ?? [];
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, program.replace("3000", String(port)));
  return file;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test.each([
  ["node", "## node:http"],
  ["express", "## Express 5"],
  ["fastify", "## Fastify 5"],
  ["hono", "## Hono"],
  ["nest", "## NestJS"],
])("%s takes a delivery", async (name, heading) => {
  const port = await freePort();
  let program = writeProgram(name, heading, port);
  if (name === "hono") {
    program = join(folder, "hono-on-node.ts");
    writeFileSync(
      program,
      `import { serve } from "@hono/node-server";
import app from "./hono.ts";
serve({ fetch: app.fetch, port: ${port} });`,
    );
  }
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, NODE_OPTIONS: "", WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const url = `http://127.0.0.1:${port}/hooks`;
  // It listens as soon as it responds to anything.
  await vi.waitFor(() => fetch(url), { timeout: 30_000, interval: 100 });
  const answers = [];
  for (let i = 0; i < 2; i += 1)
    answers.push(await (await fetch(await signedRequest(event, { url, secret }))).text());
  expect(answers).toEqual(["handled", "duplicate"]);
  await vi.waitFor(() => expect(output).toContain(`activated: ${event.data.object.id}`));
});

test("next and lambda take a delivery", async () => {
  vi.stubEnv("WEBHOOK_SECRET", secret);
  const { POST } = (await import(writeProgram("next", "## Next.js"))) as {
    POST: (request: Request) => Promise<Response>;
  };
  const { handler } = (await import(writeProgram("lambda", "## AWS Lambda"))) as {
    handler: (event: object) => Promise<object>;
  };
  const url = "http://127.0.0.1/hooks";
  const request = await signedRequest(event, { url, secret });
  const [headers, body] = [Object.fromEntries(request.headers), await request.clone().text()];
  expect(await (await POST(request)).text()).toBe("handled");
  // The same receiver, so it knows.
  const answer = await handler({ httpMethod: "POST", headers, body });
  expect(answer).toMatchObject({ statusCode: 200, body: "duplicate" });
});
