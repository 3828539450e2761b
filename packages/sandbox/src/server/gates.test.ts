import { expect, test } from "vitest";
import { withToken } from "./access.ts";
import { limitBody } from "./limit-body.ts";
import type { NodeHandler } from "./node-listener.ts";
import { onlyOwn } from "./only-own.ts";

// What each gate in front of a sandbox rejects. The tests of `start-sandbox.ts` send the same over a socket.

const connection = { remoteAddress: "127.0.0.1", destroy: () => {} };

/** A handler that keeps the requests that reach it. */
function reached() {
  const requests: Request[] = [];
  const handler: NodeHandler = (request) => {
    requests.push(request);
    return new Response("reached");
  };
  return { requests, handler };
}

const HERE = "http://127.0.0.1:4010";
const isReached = async (gate: NodeHandler, request: Request) =>
  (await (await gate(request, connection)).text()) === "reached";

test.each([
  ["/sandbox", true],
  ["/sandbox/reset", true],
  ["/webhooks", true],
  ["/webhooks/trigger", true],
  ["/forks/1/sandbox/reset", true],
  ["/forks/1/forks/2/webhooks", true],
  ["/", false],
  ["/sandboxes", false],
  ["/webhooks-of-mine", false],
  ["/console/sandbox", false],
  ["/console/forks/1/sandbox", false],
  ["/forks/sandbox", false],
  ["/forks/1/console/api", false],
  ["/forks/1", false],
])("a POST to %s requires the token: %s", async (path, isClosed) => {
  const { handler } = reached();
  const gate = withToken(handler, { token: "t", isPublic: false });
  const request = new Request(HERE + path, { method: "POST" });
  expect(await isReached(gate, request)).toBe(!isClosed);
});

test.each([
  ["GET", false],
  ["HEAD", false],
  ["POST", true],
  ["PUT", true],
  ["DELETE", true],
  ["OPTIONS", true],
])(
  "%s requires the token on this machine: %s; under a public address, always",
  async (method, isClosed) => {
    const { handler } = reached();
    const request = new Request(`${HERE}/sandbox/settings`, { method });
    for (const [isPublic, expected] of [
      [false, !isClosed],
      [true, false],
    ] as const)
      expect(await isReached(withToken(handler, { token: "t", isPublic }), request)).toBe(expected);
  },
);

test.each([
  ["Bearer token-1", true],
  ["bearer token-1", true],
  ["Bearer token-2", false],
  ["Bearer token-11", false],
  ["Bearer token-1 x", false],
  ["Bearer  token-1", false],
  ["XBearer token-1", false],
  ["token-1", false],
  ["Bearer", false],
])("the header authorization: %s is accepted: %s", async (authorization, isAccepted) => {
  const { handler } = reached();
  const gate = withToken(handler, { token: "token-1", isPublic: true });
  const request = new Request(`${HERE}/sandbox/settings`, { headers: { authorization } });
  expect(await isReached(gate, request)).toBe(isAccepted);
});

test("a request without the token is told what to send", async () => {
  const { requests, handler } = reached();
  const gate = withToken(handler, { token: "token-1", isPublic: true });
  const response = await gate(new Request(`${HERE}/sandbox`), connection);
  expect([
    response.status,
    response.headers.get("www-authenticate"),
    await response.text(),
  ]).toEqual([
    401,
    "Bearer",
    "This needs the token of the sandbox: send authorization: Bearer <token>, from the address that the sandbox printed.",
  ]);
  expect(requests).toEqual([]);
});

const MOST = 4_194_304;

test.each([
  ["a length", (size: number) => "a".repeat(size), true],
  ["chunks", (size: number) => new Blob(["a".repeat(size)]).stream(), false],
])("a body with %s may have 4 MiB, and not a byte more", async (_, bodyOf, hasLength) => {
  const { requests, handler } = reached();
  const send = (size: number, path = "/console/api/v1/labels") =>
    limitBody(handler)(
      new Request(HERE + path, {
        method: "PUT",
        headers: { key: "k", ...(hasLength && { "content-length": String(size) }) },
        body: bodyOf(size),
        duplex: "half",
      } as RequestInit),
      connection,
    );
  expect(await (await send(MOST)).text()).toBe("reached");
  expect(requests[0]?.method).toBe("PUT");
  expect(requests[0]?.headers.get("key")).toBe("k");
  expect(await requests[0]?.text()).toBe("a".repeat(MOST));
  const response = await send(MOST + 1);
  expect([response.status, await response.text()]).toEqual([
    413,
    "The sandbox accepts bodies of at most 4194304 bytes",
  ]);
  expect(requests).toHaveLength(1);
  for (const path of [
    "/sandbox/restore",
    "/forks/1/sandbox/restore",
    "/forks/1/forks/2/sandbox/restore",
  ])
    expect((await send(MOST + 1, path)).status).toBe(200);
  for (const path of [
    "/sandbox/restore/x",
    "/sandbox/restore/",
    "/console/sandbox/restore",
    "/console/api/v1/sandbox/restore",
    "/forks/sandbox/restore",
    "/x/sandbox/restore",
    "/webhooks/sandbox/restore",
  ])
    expect([path, (await send(MOST + 1, path)).status]).toEqual([path, 413]);
});

test.each([
  ["a length", true],
  ["chunks", false],
])("a snapshot with %s may have 256 MiB, and not a byte more", async (_, hasLength) => {
  const { requests, handler } = reached();
  const chunk = new Uint8Array(2 ** 20);
  let sent = 0;
  const body = new ReadableStream({
    pull: (controller) => (sent++ < 257 ? controller.enqueue(chunk) : controller.close()),
  });
  const headers = hasLength ? { "content-length": String(257 * 2 ** 20) } : {};
  const request = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  const response = await limitBody(handler)(
    new Request(`${HERE}/sandbox/restore`, request),
    connection,
  );
  expect([response.status, await response.text()]).toEqual([
    413,
    "The sandbox accepts snapshots of at most 268435456 bytes",
  ]);
  expect(requests).toEqual([]);
});

test("a request without a body or with a stated length is passed on as it is", async () => {
  const { requests, handler } = reached();
  const sent = [
    new Request(HERE, { headers: { "content-length": "5000000" } }),
    new Request(HERE, { method: "POST", body: "a", headers: { "content-length": "1" } }),
  ];
  for (const request of sent) await limitBody(handler)(request, connection);
  expect(requests.map((request, at) => request === sent[at])).toEqual([true, true]);
});

const NAMES = ["127.0.0.1", "localhost", "box.local"];
const NOT_OWN = "The sandbox responds on box.local only";
const NOT_LOCAL = "The sandbox responds to IP addresses and to host names without a dot only";

test.each([
  ["127.0.0.1:4010", true, true],
  ["localhost", true, true],
  ["box.local", true, true],
  ["box", false, true],
  ["10.0.0.7", false, true],
  ["[fd00::7]:80", false, true],
  ["attacker.example", false, false],
  ["127.0.0.1.example", false, false],
])(
  "the host %s is accepted: %s on this machine, %s under a public address",
  async (host, ...accepted) => {
    for (const [at, isPublic] of [false, true].entries()) {
      const { requests, handler } = reached();
      const gate = onlyOwn(handler, { names: NAMES, isPublic });
      const response = await gate(new Request(`http://${host}/`), connection);
      expect([response.status, await response.text()]).toEqual(
        accepted[at] ? [200, "reached"] : [421, isPublic ? NOT_LOCAL : NOT_OWN],
      );
      expect(requests).toHaveLength(accepted[at] ? 1 : 0);
    }
  },
);

test.each([
  [undefined, true],
  [HERE, true],
  ["http://box.local:4010", true],
  ["http://localhost:5173", true],
  ["https://[::1]", true],
  ["http://127.0.0.1:4011", true],
  ["http://box.local:4011", false],
  ["https://example.com", false],
  ["null", false],
  ["", false],
])("a page of the origin %s is accepted: %s", async (origin, isAccepted) => {
  const { requests, handler } = reached();
  const gate = onlyOwn(handler, { names: NAMES, isPublic: false });
  const headers = origin === undefined ? {} : { origin };
  const response = await gate(new Request("http://box.local:4010/", { headers }), connection);
  expect([response.status, await response.text()]).toEqual(
    isAccepted
      ? [200, "reached"]
      : [403, "The sandbox accepts no request from a web page of another machine"],
  );
  expect(requests).toHaveLength(isAccepted ? 1 : 0);
});

test.each([
  ["cross-site", "no-cors", false],
  ["cross-site", "navigate", false],
  ["cross-site", "websocket", false],
  ["cross-site", undefined, false],
  // Its origin decides, which a browser sends.
  ["cross-site", "cors", true],
  ["same-site", "no-cors", true],
  ["same-site", "navigate", true],
  ["same-origin", "navigate", true],
  ["same-origin", "no-cors", true],
  ["none", "navigate", true],
  [undefined, "cors", true],
  [undefined, undefined, true],
])("a request that a browser calls %s, in the mode %s, is accepted: %s", async (site, mode, ok) => {
  const { requests, handler } = reached();
  const gate = onlyOwn(handler, { names: NAMES, isPublic: false });
  const headers = {
    ...(site !== undefined && { "sec-fetch-site": site }),
    ...(mode !== undefined && { "sec-fetch-mode": mode }),
  };
  const response = await gate(new Request(`${HERE}/console/x`, { headers }), connection);
  expect([response.status, await response.text()]).toEqual(
    ok
      ? [200, "reached"]
      : [
          403,
          "A web page of another site has led here, which the sandbox does not accept. To open its page, paste the address into the address bar.",
        ],
  );
  expect(requests).toHaveLength(ok ? 1 : 0);
});
