import { expect, test } from "vitest";
import type { LoggedRequest } from "../log/logged-request.ts";
import { createFeed } from "../services/feed.ts";
import { resend } from "./resend.ts";

const logged = {
  number: 3,
  method: "POST",
  url: "/console/api/v1/labels?a=1",
  headers: { key: "k", "content-type": "application/json" },
  body: "{}",
  bodyLength: 2,
} as unknown as LoggedRequest;

/** Sends a request again to a sandbox that reports these requests and responses while it works. */
async function resent(request: LoggedRequest, reported: object[] = [], error?: Error) {
  const feed = createFeed();
  const received: Request[] = [];
  const number = await resend(request, {
    feed,
    handler: async (each) => {
      received.push(each);
      for (const { kind = "request", ...changes } of reported as { kind?: "request" }[])
        feed.report({ kind, request: { ...request, ...changes } });
      if (error !== undefined) throw error;
      return new Response();
    },
  });
  return { number, received, isWatched: feed.isWatched() };
}

test("a request is sent again with its method, address, headers and body", async () => {
  const { received } = await resent(logged);
  expect(received).toHaveLength(1);
  const [request] = received;
  expect([request?.method, request?.url]).toEqual([
    "POST",
    "http://sandbox.invalid/console/api/v1/labels?a=1",
  ]);
  expect([...(request?.headers ?? [])]).toEqual([
    ["content-type", "application/json"],
    ["key", "k"],
  ]);
  expect(await request?.text()).toBe("{}");
});

test.each(["GET", "HEAD"])("a %s is sent again without a body", async (method) => {
  const { received } = await resent({ ...logged, method, body: "", bodyLength: 0 });
  expect(received).toMatchObject([{ method, body: null }]);
});

test.each<[string, object[], number | undefined]>([
  ["its own", [{ number: 7 }], 7],
  ["none, if it was not logged", [], undefined],
  ["not that of a later one", [{ number: 7 }, { number: 8 }], 7],
  ["not that of a response", [{ kind: "response", number: 6 }, { number: 7 }], 7],
  ["not that of another method", [{ number: 6, method: "PUT" }, { number: 7 }], 7],
  ["not that of another address", [{ number: 6, url: "/console" }, { number: 7 }], 7],
  ["not that of another body", [{ number: 6, body: "[]" }, { number: 7 }], 7],
])("the number is that of the new request: %s", async (_name, reported, number) => {
  expect(await resent(logged, reported)).toMatchObject({ number, isWatched: false });
});

test("a fault that breaks the connection changes nothing", async () => {
  expect(await resent(logged, [{ number: 7 }], new Error("reset"))).toMatchObject({
    number: 7,
    isWatched: false,
  });
});

test.each([
  ["is forgotten", undefined],
  ["is cut off", "{"],
])("a request whose body %s is not sent again", async (_name, body) => {
  await expect(resent({ ...logged, body })).rejects.toThrow(
    new TypeError(
      "The log has not kept the whole body of request 3, so it cannot send it again. Send it from your own program.",
    ),
  );
});
