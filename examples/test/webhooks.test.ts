import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { signedRequest } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { afterEach, expect, test, vi } from "vitest";

const secret = "whsec_test";
const event = sampleEvent("sim.activated");
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  vi.unstubAllEnvs();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test.each(["node", "express", "fastify", "hono", "nest"])("%s takes a delivery", async (name) => {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, `../webhooks/${name}.ts`)], {
    env: { ...process.env, NODE_OPTIONS: "", PORT: `${port}`, WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const until = async (text: string) => {
    while (!output.includes(text)) await once(child.stdout, "data");
  };
  await until("listening");
  const url = `http://127.0.0.1:${port}/hooks`;
  const answers = [];
  for (let i = 0; i < 2; i += 1)
    answers.push(await (await fetch(await signedRequest(event, { url, secret }))).text());
  expect(answers).toEqual(["handled", "duplicate"]);
  await until(`activated: ${event.data.object.id}`);
});

test("next and lambda take a delivery", async () => {
  vi.stubEnv("WEBHOOK_SECRET", secret);
  const { POST } = await import("../webhooks/next.ts");
  const { handler } = await import("../webhooks/lambda.ts");
  const url = "http://127.0.0.1/hooks";
  const request = await signedRequest(event, { url, secret });
  const [headers, body] = [Object.fromEntries(request.headers), await request.clone().text()];
  expect(await (await POST(request)).text()).toBe("handled");
  // The same receiver, so it knows.
  const answer = await handler({ httpMethod: "POST", headers, body });
  expect(answer).toMatchObject({ statusCode: 200, body: "duplicate" });
});
