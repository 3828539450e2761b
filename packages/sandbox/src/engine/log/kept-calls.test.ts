import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createServices } from "../sandbox/create-services.ts";
import type { SandboxOptions } from "../sandbox/sandbox-options.ts";
import { toSandbox } from "../sandbox/sandbox.ts";

/** Creates an empty sandbox, and a function that creates labels with bodies of about `size` characters. */
function open(options: SandboxOptions = {}) {
  const sandbox = toSandbox(
    createServices({ console: { data: "empty" }, ...options }, { keepsResponses: true }),
    "https://sandbox.invalid",
  );
  let last = 0;
  const create = async (size: number, key = sandbox.apiKey) => {
    const name = `Label ${(last += 1)}`;
    const response = await sandbox.console.fetch(`${sandbox.console.baseUrl}/api/v1/labels`, {
      method: "POST",
      headers: { key, "content-type": "application/json" },
      body: JSON.stringify({ name, pad: "x".repeat(size) }),
    });
    return response.status;
  };
  const control = async (route: string, body?: object) => {
    const [method = "", path = ""] = route.split(" ");
    const init = body && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    const url = `https://sandbox.invalid/sandbox${path}`;
    const response = await sandbox.handler(new Request(url, { method, ...init }));
    const text = await response.text();
    return { status: response.status, body: response.ok ? (JSON.parse(text) as unknown) : text };
  };
  const kept = () => sandbox.log.requests().map(({ body }) => body !== undefined);
  return { sandbox, create, control, kept };
}

test("beyond logBytes, the oldest bodies are forgotten whole, and their lengths stay", async () => {
  const { sandbox, create, kept } = open({ logBytes: 50_000 });
  for (let sent = 0; sent < 4; sent++) await create(20_000);
  expect(kept()).toEqual([false, false, true, true]);
  const [first, , third] = sandbox.log.requests();
  expect(first).toMatchObject({ body: undefined, bodyLength: 20_027, status: 201, done: true });
  expect(JSON.parse(third?.body ?? "")).toMatchObject({ name: "Label 3" });
});

test("the newest body is kept, however long it is", async () => {
  const { sandbox, create, kept } = open({ logBytes: 0 });
  await create(10);
  await create(100_000);
  await sandbox.console.fetch(`${sandbox.console.baseUrl}/api/v1/labels`);
  expect(kept()).toEqual([false, true, true]);
});

test("of a request whose key is rejected, 1,024 characters are kept", async () => {
  const { sandbox, create } = open();
  await create(5_000, "wrong");
  await create(10, "");
  await sandbox.mobile.fetch(`${sandbox.mobile.baseUrl}/v1/subscribers`, {
    method: "POST",
    body: "y".repeat(3_000),
  });
  const [long, short, unknown] = sandbox.log.requests();
  expect(long?.body).toBe(`{"name":"Label 1","pad":"${"x".repeat(1_000)}`.slice(0, 1_024));
  expect(long).toMatchObject({ status: 401, bodyLength: 5_027 });
  expect(short).toMatchObject({ status: 403, body: '{"name":"Label 2","pad":"xxxxxxxxxx"}' });
  expect(unknown).toMatchObject({ status: 401, body: "y".repeat(1_024), bodyLength: 3_000 });
});

test("the controls say that a body was not kept, and send no part of it again", async () => {
  const { create, control, sandbox } = open({ logBytes: 50_000 });
  await create(40_000);
  await create(40_000);
  await create(5_000, "wrong");
  expect((await control("GET /requests/1")).body).toMatchObject({
    body: { kind: "left_out", length: 40_027 },
    row: "labels.create",
    status: 201,
  });
  expect((await control("GET /requests/1")).body).not.toHaveProperty("program");
  expect((await control("GET /requests/2")).body).toHaveProperty("program");
  expect((await control("GET /requests/3")).body).toMatchObject({
    body: { kind: "text", text: "[undeclared]", whole: 5_027 },
  });
  for (const number of [1, 3]) {
    expect((await control(`POST /requests/${number}/sent`, {})).body).not.toHaveProperty("body");
    expect(await control(`POST /requests/${number}/resend`, {})).toEqual({
      status: 400,
      body: `The log has not kept the whole body of request ${number}, so it cannot send it again. Send it from your own program.`,
    });
  }
  const whole = { of: "request", part: "body", name: "" };
  expect((await control("POST /requests/1/reveal", whole)).status).toBe(400);
  expect((await control("POST /requests/3/reveal", whole)).body).toEqual({
    value: sandbox.log.requests()[2]?.body,
  });
  expect(sandbox.log.count).toBe(3);
});

test("the sandbox cannot go back over a forgotten body, and can to what came after it", async () => {
  const { sandbox, create, control } = open({ logBytes: 100_000 });
  for (let sent = 1; sent <= 12; sent++) await create(20_000);
  expect(await control("GET /rewind/5")).toEqual({
    status: 400,
    body: "Request 5 is not one of the last 10000 that the sandbox can go back to, or the body of an earlier request was forgotten. Go back to a later request, or set logSize and logBytes to more.",
  });
  await expect(sandbox.stepBack(5)).rejects.toThrow("the body of an earlier request was forgotten");
  expect(sandbox.console.state.labels.size).toBe(12);
  for (const number of [12, 10]) {
    await sandbox.stepBack(number);
    expect(sandbox.console.state.labels.size).toBe(number - 1);
  }
});

test("going back repeats a request whose key was rejected, of which only the start is kept", async () => {
  const { sandbox, create } = open();
  await create(10);
  await create(5_000, "wrong");
  await create(10);
  const state = sandbox.snapshot();
  await create(10);
  await sandbox.stepBack(4);
  expect(sandbox.snapshot()).toEqual(state);
});

test("a request that waits while its body is forgotten does its work", async () => {
  const { sandbox, create } = open({
    logBytes: 20_000,
    faults: [{ kind: "delay", ms: 100, on: "labels.create" }],
  });
  const slow = create(15_000);
  await create(15_000);
  await create(15_000);
  expect(await slow).toBe(201);
  expect(sandbox.console.state.labels.size).toBe(3);
});

test("what is kept of a request with a short body goes with its log", async () => {
  const { sandbox, create } = open({ logSize: 10, console: { requestsPerMinute: Infinity } });
  const entries: WeakRef<object>[] = [];
  for (let sent = 0; sent < 200; sent++) {
    await create(1, "wrong");
    entries.push(new WeakRef(sandbox.log.requests().at(-1)!));
  }
  // A weak reference holds its object until the end of the turn in which it was made.
  await new Promise((resolve) => setImmediate(resolve));
  v8.setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  // The log and the journal keep twice as many as they show.
  expect(entries.filter((each) => each.deref() !== undefined).length).toBeLessThan(50);
});
