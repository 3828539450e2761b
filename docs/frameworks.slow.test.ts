import { signedRequest } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../tools/servers.ts";
import { openPrograms } from "./programs.ts";

const secret = "whsec_test_secret_only";
const event = sampleEvent("sim.activated");
const programs = openPrograms("frameworks");

beforeAll(() => void programs.write("receiver", "# Frameworks"));
afterEach(() => {
  programs.stop();
  vi.unstubAllEnvs();
});
afterAll(() => programs.remove());

test.each([
  ["node", "## node:http"],
  ["express", "## Express 4 and 5"],
  ["fastify", "## Fastify 5"],
  ["hono", "## Hono"],
  ["nest", "## NestJS"],
])("%s takes a delivery", async (name, heading) => {
  const port = await freePort();
  let program = programs.write(name, heading, port);
  if (name === "hono") {
    program = programs.add(
      "hono-on-node",
      `import { serve } from "@hono/node-server";
import app from "./hono.ts";
serve({ fetch: app.fetch, port: ${port} });`,
    );
  }
  const { output } = await programs.start(program, port, { WEBHOOK_SECRET: secret });
  const url = `http://127.0.0.1:${port}/hooks`;
  const answers = [];
  for (let i = 0; i < 2; i += 1)
    answers.push(await (await fetch(await signedRequest(event, { url, secret }))).text());
  expect(answers).toEqual(["handled", "duplicate"]);
  await vi.waitFor(() => expect(output()).toContain(`activated: ${event.data.object.id}`));
});

test("next and lambda take a delivery", async () => {
  vi.stubEnv("WEBHOOK_SECRET", secret);
  const { POST } = (await import(programs.write("next", "## Next.js"))) as {
    POST: (request: Request) => Promise<Response>;
  };
  const { handler } = (await import(programs.write("lambda", "## AWS Lambda"))) as {
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
