import { inspect } from "node:util";
import { expect, test } from "vitest";
import type { Call } from "../serve/call.ts";
import { createKeptCalls, type KeptCalls } from "./kept-calls.ts";
import type { KeptResponse } from "./kept-responses.ts";
import { createRequestLog, type RequestLogSetting } from "./request-log.ts";

/** Creates a call that was sent with a body. */
function callOf(changes: Partial<Call> = {}): Call {
  const request = new Request("http://a.invalid/console/api/v1/labels?name=a", {
    method: "POST",
    headers: { Key: "secret" },
    body: "{}",
  });
  return {
    request,
    url: new URL(request.url),
    body: "{}",
    row: "labels.create",
    endpoint: undefined,
    input: {},
    connection: {},
    done: false,
    fault: undefined,
    broken: false,
    keyRejected: false,
    error: undefined,
    ...changes,
  };
}

/** A log, and a function that logs a call to which something responds. */
function open(changes: Partial<RequestLogSetting> = {}) {
  const reported: unknown[] = [];
  const own = { now: 1_000 };
  const log = createRequestLog({
    clock: { now: () => own.now, sleep: async () => {} },
    limit: 3,
    calls: createKeptCalls(Infinity),
    report: ({ kind, request }) => void reported.push([kind, request.number, request.status]),
    keep: undefined,
    ...changes,
  });
  const send = async (
    call: Partial<Call> = {},
    respond: (call: Call) => Response = () => new Response(null, { status: 204 }),
  ) => log.layer("console")(async (each) => respond(each))(callOf(call));
  const times = async (count: number) => {
    for (let sent = 0; sent < count; sent++) await send();
  };
  const numbers = () => log.requests().map(({ number }) => number);
  return { log, send, times, numbers, reported, own };
}

test("an entry has what was sent, and its outcome", async () => {
  const { log, send } = open();
  const fault = { kind: "delay", ms: 5 } as const;
  const error = new Error("failed");
  await send({}, (call) => {
    Object.assign(call, { done: true, fault, error });
    return new Response(null, { status: 201 });
  });
  const [entry] = log.requests();
  expect(entry).toMatchObject({
    number: 1,
    time: 1_000,
    service: "console",
    row: "labels.create",
    method: "POST",
    path: "/console/api/v1/labels",
    status: 201,
    duration: expect.any(Number),
  });
  const { url, headers, body, bodyLength, done } = entry!;
  expect({ url, headers, body, bodyLength, done }).toEqual({
    url: "/console/api/v1/labels?name=a",
    headers: { "content-type": "text/plain;charset=UTF-8", key: "secret" },
    body: "{}",
    bodyLength: 2,
    done: true,
  });
  expect(entry?.fault).toBe(fault);
  expect(entry?.error).toBe(error);
  expect(entry?.duration).toBeGreaterThanOrEqual(0);
  expect(entry?.duration).toBeLessThan(10_000);
});

test("a printed entry has its own fields, and marks in place of what was sent", async () => {
  const { log, send } = open();
  await send({}, (call) => {
    Object.assign(call, { done: true, fault: { kind: "delay", ms: 5 } });
    return new Response(null, { status: 201 });
  });
  await send();
  const printed = {
    number: 1,
    time: 1_000,
    service: "console",
    row: "labels.create",
    method: "POST",
    path: "/console/api/v1/labels",
    status: 201,
    fault: "delay",
    done: true,
    headers: "[redacted]",
    body: "[redacted]",
  };
  const [first, second] = log.requests();
  expect(JSON.parse(JSON.stringify(first))).toEqual(printed);
  expect(inspect(first)).toBe(inspect(printed));
  expect(JSON.parse(JSON.stringify(second))).not.toHaveProperty("fault");
});

test("a request is reported when it arrives, and when it has its outcome", async () => {
  const { log, send, reported } = open();
  await send({}, () => {
    const [entry] = log.requests();
    expect(entry).toMatchObject({ status: undefined, duration: undefined });
    expect([entry?.done, entry?.fault, entry?.error]).toEqual([false, undefined, undefined]);
    return new Response(null, { status: 404 });
  });
  expect(reported).toEqual([
    ["request", 1, undefined],
    ["response", 1, 404],
  ]);
});

test("what a call says about itself is read while it is in progress", async () => {
  const { log, send } = open();
  await send({}, (call) => {
    call.done = true;
    expect(log.requests()[0]?.done).toBe(true);
    return new Response();
  });
});

test("what happens to a call after its response changes nothing in its entry", async () => {
  const { log, send } = open();
  const calls: Call[] = [];
  await send({}, (call) => {
    calls.push(call);
    return new Response();
  });
  Object.assign(calls[0]!, { done: true, fault: { kind: "reset" }, error: new Error("late") });
  const [entry] = log.requests();
  expect([entry?.done, entry?.fault, entry?.error]).toEqual([false, undefined, undefined]);
});

test("a broken connection has neither status nor response, and an error is passed on", async () => {
  const kept: Response[] = [];
  const keep = (response: Response): KeptResponse => {
    kept.push(response);
    return { headers: {}, body: "kept", length: 4 };
  };
  const { log, send, reported } = open({ keep });
  await send({}, (call) => {
    call.broken = true;
    return new Response();
  });
  expect(kept).toEqual([]);
  expect(log.requests()[0]?.status).toBeUndefined();
  expect(log.find(1)?.response).toBeUndefined();
  const response = await send();
  expect(kept).toEqual([response]);
  expect(log.find(2)?.response).toEqual({ headers: {}, body: "kept", length: 4 });
  await expect(
    send({}, () => {
      throw new RangeError("of the sandbox");
    }),
  ).rejects.toThrow(new RangeError("of the sandbox"));
  expect(log.requests()[2]).toMatchObject({ status: undefined, duration: expect.any(Number) });
  expect(reported.slice(-2)).toEqual([
    ["request", 3, undefined],
    ["response", 3, undefined],
  ]);
});

test("only of a request whose key was rejected, the start of the body is kept", async () => {
  const started: Call[] = [];
  const calls: KeptCalls = {
    ...createKeptCalls(Infinity),
    keepStart: (call) => void started.push(call),
  };
  const { send } = open({ calls });
  await send();
  expect(started).toEqual([]);
  await send({ keyRejected: true });
  expect(started).toMatchObject([{ keyRejected: true }]);
});

test("the details of a request are found by its number", async () => {
  const { log, send, own } = open();
  await send();
  own.now = 2_000;
  await send({ row: undefined, body: "other" });
  expect(log.find(2)).toMatchObject({
    request: { number: 2, time: 2_000, row: undefined },
    call: { method: "POST", row: undefined, body: { text: "other", length: 5 } },
    input: {},
    response: undefined,
  });
  expect(log.find(1)?.request.time).toBe(1_000);
  expect([log.find(0), log.find(3)]).toEqual([undefined, undefined]);
});

test("the requests of one row are listed", async () => {
  const { log, send } = open();
  await send({ row: "labels.create" });
  await send({ row: "labels.list" });
  await send({ row: undefined });
  expect(log.requests("labels.list").map(({ number }) => number)).toEqual([2]);
  expect(log.requests("labels.get")).toEqual([]);
  expect(log.requests()).toHaveLength(3);
});

test("the last requests are listed, and at twice their number older ones cannot be found", async () => {
  const { log, times, numbers } = open({ limit: 3 });
  await times(5);
  expect(numbers()).toEqual([3, 4, 5]);
  expect(log.find(1)?.request.number).toBe(1);
  await times(1);
  expect(numbers()).toEqual([4, 5, 6]);
  expect([log.find(3), log.find(4)?.request.number]).toEqual([undefined, 4]);
  expect([log.count, log.lastNumber, log.firstNumber]).toEqual([6, 6, 1]);
});

test("after a clear, numbers go on, and the first of them is known", async () => {
  const { log, times, numbers } = open();
  expect([log.count, log.lastNumber, log.firstNumber]).toEqual([0, 0, 1]);
  await times(2);
  log.clear();
  expect([log.count, log.lastNumber, log.firstNumber]).toEqual([0, 2, 3]);
  expect([log.find(2), numbers()]).toEqual([undefined, []]);
  await times(1);
  expect([log.count, log.lastNumber, log.firstNumber, numbers()]).toEqual([1, 3, 3, [3]]);
});

test("a cut removes a request and what came after it, and can be undone", async () => {
  const { log, times, numbers } = open({ limit: 10 });
  await times(4);
  const putBack = log.cut(3);
  expect([numbers(), log.count, log.lastNumber, log.firstNumber]).toEqual([[1, 2], 2, 4, 1]);
  putBack();
  expect([numbers(), log.count, log.lastNumber, log.firstNumber]).toEqual([[1, 2, 3, 4], 4, 4, 1]);
  expect(log.cut(5)).toBeTypeOf("function");
  expect(numbers()).toHaveLength(4);
});

test("what is put back after a clear is part of the log again", async () => {
  const { log, times, numbers } = open({ limit: 10 });
  await times(4);
  const putBack = log.cut(3);
  log.clear();
  expect(log.firstNumber).toBe(5);
  putBack();
  expect([numbers(), log.count, log.firstNumber]).toEqual([[3, 4], 2, 3]);
});
