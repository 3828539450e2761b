import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { SANDBOX_PORT, SANDBOX_PORTS } from "../sandbox-port.ts";
import { testContext } from "../testing/context.ts";
import { run } from "./start.ts";
const LAST = SANDBOX_PORT + SANDBOX_PORTS - 1;

/** Starts a sandbox as a user does, and returns its environment variables. */
async function start() {
  const context = testContext({ isJson: true });
  const running = run(context, { arguments: [], options: {} });
  onTestFinished(async () => {
    context.interrupt();
    await running;
  });
  await vi.waitFor(() => expect(context.lines).not.toEqual([]), { timeout: 20_000 });
  const variables = JSON.parse(context.lines[0] ?? "{}") as Record<string, string>;
  return { ...context, variables, page: new URL(variables["FIELDMESH_SANDBOX"] ?? "") };
}

/** Takes a port, unless another program has it already. */
async function occupy(port: number, host = "127.0.0.1"): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.once("error", () => resolve()).listen(port, host, resolve);
  });
  onTestFinished(() => void server.close());
}

test("a sandbox listens on its known port, and says so if that port was in use", async () => {
  await occupy(SANDBOX_PORT);
  const { page, notes, variables } = await start();
  const port = Number(page.port);
  expect(port).toBeGreaterThan(SANDBOX_PORT);
  expect(port).toBeLessThanOrEqual(LAST);
  expect(notes).toEqual([`Port ${SANDBOX_PORT} is in use, so this sandbox listens on ${port}.`]);
  expect(variables["CONSOLE_URL"]).toBe(`http://127.0.0.1:${port}/console`);
});

test("the known port responds to no other host name and to no page of another machine", async () => {
  const { page } = await start();
  const { port, hash } = page;
  const statusOf = async (path: string, headers: Record<string, string>) => {
    const request = httpRequest({
      host: "127.0.0.1",
      port,
      path,
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${hash.replace("#token=", "")}`,
        ...headers,
      },
    }).end("{}");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  // A name that leads to 127.0.0.1, as an attacker's name server can return it, and pages of other machines.
  const foreign = [
    [{ host: `attacker.example:${port}` }, 421],
    [{ origin: "https://attacker.example" }, 403],
    [{ origin: `http://attacker.example:${port}` }, 403],
    [{ origin: "null" }, 403],
  ] as const;
  for (const path of ["/sandbox/keys", "/sandbox/reset", "/webhooks/trigger", "/ledger/v1/x", "/"])
    for (const [headers, status] of foreign)
      expect([path, headers, await statusOf(path, headers)]).toEqual([path, headers, status]);
  // The same request is accepted without these headers.
  expect(await statusOf("/sandbox/keys", {})).toBe(200);
});
