import { afterEach, expect, test, vi } from "vitest";
import { signedRequest } from "@fieldmesh/webhook-types";
import { canaries } from "../../../../../tools/canaries/canaries.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { testContext, fakeSleep } from "../testing/context.ts";
import { NOT_A_SANDBOX, fakeSandbox, type Reply, serveLocal } from "../testing/fake-sandbox.ts";
import { run as listen } from "./listen.ts";

/** Long enough for a busy machine. */
const PATIENCE = { timeout: 20_000 };
const SECRET = canaries.webhookSecret;
const ENDPOINTS = "/webhooks/endpoints";
const OURS = { id: "we_1" };
const replies = (more: Record<string, Reply> = {}): Record<string, Reply> => ({
  [`POST ${ENDPOINTS}`]: OURS,
  [`GET ${ENDPOINTS}`]: [OURS],
  [`DELETE ${ENDPOINTS}/we_1`]: { status: 204, text: "" },
  ...more,
});
afterEach(() => void vi.restoreAllMocks());

/** Waits until Ctrl-C, or until the returned function was called. */
function sleepUntilCalled(): { readonly calls: readonly unknown[][]; readonly look: () => void } {
  let look = (): void => {};
  const calls = fakeSleep(
    (signal) =>
      new Promise((resolve, reject) => {
        look = resolve;
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
      }),
  );
  return { calls, look: () => look() };
}

/** The waits before a look at the sandbox. The server waits too, when it closes. */
const waits = (calls: readonly unknown[][]) => calls.filter(([ms]) => ms === 1_000).length;

async function start(
  sandboxUrl: string,
  options: Record<string, string | readonly string[]> = {},
  context = testContext(),
) {
  const ended = listen(context, { arguments: [], options: { sandboxUrl, ...options } });
  ended.catch(() => {});
  const hasStarted = () => expect(context.notes).toContain("Press Ctrl-C to stop it.");
  // An error of the command is that of the test.
  await Promise.race([ended, vi.waitFor(hasStarted, PATIENCE)]);
  const url = context.notes[1]!.replace("Listener  ", "");
  return { context, ended, url };
}

test("an endpoint for all types is added with a new secret, and removed at Ctrl-C", async () => {
  await using sandbox = await fakeSandbox(replies());
  const { context, ended, url } = await start(sandbox.origin);
  expect(context.notes).toEqual([
    `Sandbox  ${sandbox.origin}`,
    expect.stringMatching(/^Listener {2}http:\/\/127\.0\.0\.1:\d+$/),
    "Receiver  none: every delivery is accepted",
    "Secret    new; show it with --reveal, or set FIELDMESH_WEBHOOK_SECRET",
    "Press Ctrl-C to stop it.",
  ]);
  context.interrupt();
  await ended;
  const [added, removed] = sandbox.requests;
  expect(added!.line).toBe(`POST ${ENDPOINTS}`);
  expect(JSON.parse(added!.body)).toEqual({
    url: `${url}/`,
    secret: expect.stringMatching(/^whsec_[0-9a-f]{32}$/) as string,
    enabled_events: ["*"],
  });
  expect(removed!.line).toBe(`DELETE ${ENDPOINTS}/we_1`);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("the given types, secret, receiver and port are used", async () => {
  await using sandbox = await fakeSandbox(replies());
  const free = await serveLocal(() => {});
  const { port } = new URL(free.url);
  await free[Symbol.asyncDispose]();
  const { context, ended, url } = await start(
    sandbox.origin,
    { port, events: ["sim.*", "plan.created"], forwardTo: "http://localhost:1/hooks?token=x" },
    testContext({ env: { FIELDMESH_WEBHOOK_SECRET: SECRET }, reveal: true }),
  );
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect(JSON.parse(sandbox.requests[0]!.body)).toEqual({
    url: `${url}/`,
    secret: SECRET,
    enabled_events: ["sim.*", "plan.created"],
  });
  expect(context.notes).toContain("Receiver  http://localhost:1/hooks");
  expect(context.notes).toContain("Secret    yours");
  context.interrupt();
  await ended;
});

test.each([
  [{ port: "x" }, "--port needs a whole number"],
  [{ forwardTo: "http://example.com" }, "--forward-to needs an address of this machine"],
  [{ secret: "short" }, "The signing secret has fewer than 8 characters"],
  [{ sandboxUrl: "x" }, "--sandbox-url needs an address"],
])("%j is rejected before an endpoint is added", async (options, sentence) => {
  await using sandbox = await fakeSandbox(replies());
  const listening = listen(testContext(), {
    arguments: [],
    options: { sandboxUrl: sandbox.origin, ...options },
  });
  await expect(listening).rejects.toThrow(sentence);
  await expect(listening).rejects.toBeInstanceOf(UsageError);
  expect(sandbox.requests).toEqual([]);
});

test("Ctrl-C while the endpoint is added does not leave it there", async () => {
  const context = testContext();
  const lines: string[] = [];
  await using sandbox = await serveLocal((request, response) => {
    lines.push(`${request.method} ${request.url}`);
    context.interrupt();
    response.end(JSON.stringify(OURS));
  });
  const sandboxUrl = new URL(sandbox.url).origin;
  await listen(context, { arguments: [], options: { sandboxUrl } });
  expect(lines).toEqual([`POST ${ENDPOINTS}`, `DELETE ${ENDPOINTS}/we_1`]);
});

test("at Ctrl-C, a sandbox that does not respond to the removal is left after two seconds", async () => {
  await using sandbox = await serveLocal((request, response) => {
    if (request.method !== "DELETE") response.end(JSON.stringify(OURS));
  });
  const timeout = vi.spyOn(AbortSignal, "timeout");
  const { context, ended } = await start(new URL(sandbox.url).origin);
  timeout.mockClear();
  timeout.mockImplementation((ms) =>
    ms === 2_000 ? AbortSignal.abort() : new AbortController().signal,
  );
  context.interrupt();
  await ended;
  expect(timeout).toHaveBeenCalledWith(2_000);
});

test("each second, the sandbox is asked whether it still has the endpoint", async () => {
  const { calls, look } = sleepUntilCalled();
  const answers = replies();
  await using sandbox = await fakeSandbox(answers);
  const { ended } = await start(sandbox.origin);
  const looks = () => sandbox.requests.filter(({ line }) => line === `GET ${ENDPOINTS}`).length;
  expect(looks()).toBe(0);
  for (const list of [[OURS], [{ id: "we_0" }, OURS, { id: "we_2" }]]) {
    answers[`GET ${ENDPOINTS}`] = list;
    const before = calls.length;
    look();
    await vi.waitFor(() => expect(calls).toHaveLength(before + 1), PATIENCE);
  }
  expect(looks()).toBe(2);
  answers[`GET ${ENDPOINTS}`] = [{ id: "we_2" }];
  look();
  await expect(ended).rejects.toThrow(
    new CommandError(`The sandbox at ${sandbox.origin} was restarted. Run listen again.`),
  );
  expect(sandbox.requests.at(-1)!.line).toBe(`DELETE ${ENDPOINTS}/we_1`);
  expect(calls[0]!.slice(0, 2)).toEqual([1_000, undefined]);
});

test.each<[string, Reply, string]>([
  ["another program", "{}", NOT_A_SANDBOX],
  ["a sandbox without endpoints", "[]", "was restarted. Run listen again."],
  ["a sandbox that needs another token", { status: 401, text: "" }, "requires the token"],
])("listen ends if %s responds at the address", async (_what, reply, message) => {
  const { look } = sleepUntilCalled();
  await using sandbox = await fakeSandbox(replies({ [`GET ${ENDPOINTS}`]: reply }));
  const { ended, url } = await start(sandbox.origin);
  look();
  await expect(ended).rejects.toThrow(message);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("Ctrl-C ends the wait and the request in progress, and is not an error", async () => {
  const { calls, look } = sleepUntilCalled();
  const context = testContext();
  let asked = 0;
  await using sandbox = await serveLocal((request, response) => {
    if (request.method === "GET") asked += 1;
    else response.end(JSON.stringify(OURS));
  });
  const first = await start(new URL(sandbox.url).origin, {}, context);
  look();
  await vi.waitFor(() => expect(asked).toBe(1), PATIENCE);
  context.interrupt();
  await first.ended;
  expect(waits(calls)).toBe(1);
  const second = await start(new URL(sandbox.url).origin);
  second.context.interrupt();
  await second.ended;
  expect([asked, waits(calls)]).toEqual([1, 2]);
});

test("if a line cannot be printed, listen ends with its error, and ends its wait or request too", async () => {
  const { calls, look } = sleepUntilCalled();
  const closed = new Error("closed pipe");
  const asked = Promise.withResolvers<void>();
  const left = vi.fn();
  const lines: string[] = [];
  await using sandbox = await serveLocal((request, response) => {
    lines.push(`${request.method} ${request.url}`);
    if (request.method !== "GET") response.end(JSON.stringify(OURS));
    else {
      response.on("close", left);
      asked.resolve();
    }
  });
  for (const isAsking of [false, true]) {
    const context = testContext({ env: { FIELDMESH_WEBHOOK_SECRET: SECRET } });
    const output = { ...context.output, line: () => Promise.reject(closed) };
    const origin = new URL(sandbox.url).origin;
    const { ended, url } = await start(origin, {}, { ...context, output });
    if (isAsking) {
      look();
      await asked.promise;
    }
    await fetch(await signedRequest({ id: 1 }, { url, secret: SECRET }));
    await expect(ended).rejects.toBe(closed);
    expect(lines.at(-1)).toBe(`DELETE ${ENDPOINTS}/we_1`);
  }
  // Long before the request would end without a response.
  await vi.waitFor(() => expect(left).toHaveBeenCalled(), { timeout: 5_000 });
  const [[, , { signal }]] = calls as [[number, undefined, { signal: AbortSignal }]];
  expect(signal.aborted).toBe(true);
});
