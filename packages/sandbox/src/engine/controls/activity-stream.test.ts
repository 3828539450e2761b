import { expect, test } from "vitest";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Handler } from "../serve/serve.ts";
import { createFeed } from "../services/feed.ts";
import { openControls } from "../testing/controls.ts";
import { createHistory } from "./activity-stream.ts";
import type { FeedMessage } from "./wire.ts";

const FEED = "http://sandbox.invalid/sandbox/feed";

/** Reads the feed as a page does. */
async function open(handler: Handler, lastId?: string) {
  const left = new AbortController();
  const response = await handler(
    new Request(FEED, {
      signal: left.signal,
      headers: lastId === undefined ? {} : { "last-event-id": lastId },
    }),
  );
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let id: string | undefined;
  return {
    response,
    reader,
    get id() {
      return id;
    },
    next: async (): Promise<FeedMessage> => {
      const { value = "" } = await reader.read();
      id = /^id: (.*)$/m.exec(value)?.[1] ?? id;
      return JSON.parse(/^data: (.*)$/m.exec(value)?.[1] ?? "{}") as FeedMessage;
    },
    leave: () => left.abort(),
  };
}

const call = (sandbox: Sandbox) =>
  sandbox.ledger.fetch(`${sandbox.ledger.baseUrl}/v1/blocks/height?secret=canary-query`, {
    headers: { "user-agent": "test", key: "canary-key" },
  });

test("a viewer receives everything first, and then each change", async () => {
  const { sandbox, controls } = openControls();
  await call(sandbox);
  const viewer = await open(controls);
  expect(viewer.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(await viewer.next()).toMatchObject({
    reset: true,
    settings: { endpoints: [], faults: { kind: "none" } },
    clock: { now: sandbox.clock.now(), kind: "virtual", isPaused: true },
  });
  expect(await viewer.next()).toMatchObject({ requests: [{ number: 1, status: 200 }] });
  await call(sandbox);
  sandbox.setFaults([{ kind: "reset", times: Infinity }]);
  expect(await viewer.next()).toMatchObject({
    requests: [{ number: 2, row: "blocks.height", status: 200, duration: expect.any(Number) }],
    settings: { faults: { kind: "rules", rules: [{ kind: "reset", times: "all" }] } },
  });
  sandbox.reset();
  expect(await viewer.next()).toMatchObject({ reset: true });
});

test("no message contains a header, a query or a code", async () => {
  const { sandbox, controls } = openControls();
  await call(sandbox);
  sandbox.webhooks.register({
    url: "http://127.0.0.1:3000/h",
    secret: "canary-secret",
    fetch: async () => new Response(),
  });
  await sandbox.webhooks.trigger("cpni.verification.requested", {
    data: { object: { code: "canary" } },
  });
  const viewer = await open(controls);
  const text = JSON.stringify([await viewer.next(), await viewer.next()]);
  expect(text).toContain("cpni.verification.requested");
  expect(text).not.toContain("canary");
});

test("a viewer that reconnects receives what it missed, or everything if the sandbox was restarted", async () => {
  const { sandbox, controls } = openControls();
  await call(sandbox);
  const viewer = await open(controls);
  await viewer.next();
  await viewer.next();
  viewer.leave();
  await call(sandbox);
  const back = await open(controls, viewer.id);
  expect((await back.next()).requests).toMatchObject([{ number: 2 }]);
  for (const unknown of ["other-run.1", "nonsense", viewer.id?.replace(/\d+$/, "999999")]) {
    const stranger = await open(controls, unknown);
    expect(await stranger.next()).toMatchObject({ reset: true });
  }
});

test("a slow viewer receives only the last state of each record", async () => {
  const { sandbox, controls } = openControls();
  await call(sandbox);
  const viewer = await open(controls);
  await viewer.next();
  await viewer.next();
  for (let sent = 0; sent < 50; sent++) await call(sandbox);
  const { requests = [] } = await viewer.next();
  expect(requests.map(({ number }) => number)).toEqual(
    Array.from({ length: 50 }, (_, at) => at + 2),
  );
});

test("the stream ends when the viewer disconnects", async () => {
  const { controls } = openControls();
  const viewer = await open(controls);
  await viewer.next();
  const waiting = viewer.reader.read();
  viewer.leave();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

test("the feed has at most 64 readers, and the place of one that leaves is free", async () => {
  const { controls } = openControls();
  // A request that has already ended has no place.
  for (let sent = 0; sent < 64; sent++)
    await controls(new Request(FEED, { signal: AbortSignal.abort() }));
  const viewers = await Promise.all(Array.from({ length: 64 }, () => open(controls)));
  expect(viewers.every(({ response }) => response.status === 200)).toBe(true);
  const refused = await controls(new Request(FEED));
  expect([refused.status, await refused.text()]).toEqual([
    503,
    "The sandbox has 64 readers of its feed, and accepts no more. Close one of its pages, and try again.",
  ]);
  viewers[0]!.leave();
  await viewers[1]!.reader.cancel();
  for (const status of [200, 200, 503])
    expect((await controls(new Request(FEED))).status).toBe(status);
});

/** A history, and a function that makes a number of things happen. */
function openHistory() {
  const feed = createFeed();
  const history = createHistory(feed);
  const happen = (times = 1) => {
    for (let done = 0; done < times; done++) feed.report({ kind: "clock" });
  };
  return { feed, history, happen };
}

test("at least the last 20,000 activities are kept, and less than twice as many", () => {
  const { history, happen } = openHistory();
  happen(39_999);
  expect(history.since(0)).toHaveLength(39_999);
  happen();
  expect(history.since(19_999)).toBeUndefined();
  expect(history.since(20_000)).toHaveLength(20_000);
  happen();
  expect([history.version, history.since(20_000)?.length]).toEqual([40_001, 20_001]);
});
