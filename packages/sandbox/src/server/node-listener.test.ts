import { once } from "node:events";
import {
  createServer,
  IncomingMessage,
  request as httpRequest,
  type Server,
  ServerResponse,
} from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type NodeHandler,
  type NodeListenerOptions,
  toNodeListener,
  toRequest,
} from "./node-listener.ts";

const open: Server[] = [];

afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(
  handler: NodeHandler,
  options: NodeListenerOptions = { onError: unexpected },
) {
  const server = createServer(toNodeListener(handler, options));
  open.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
}

function unexpected(error: unknown): never {
  throw error;
}

/** Sends bytes unchanged. Returns the received bytes, and how the connection ended. */
async function raw(port: number, ...parts: (string | Uint8Array)[]) {
  const socket = connect(port, "127.0.0.1");
  const received: Buffer[] = [];
  let reset = false;
  socket.on("data", (chunk) => received.push(chunk));
  socket.on("error", (error: NodeJS.ErrnoException) => (reset = error.code === "ECONNRESET"));
  for (const part of parts) socket.write(part);
  await new Promise((resolve) => socket.once("close", resolve));
  return { text: Buffer.concat(received).toString("latin1"), reset };
}

/** Returns a request line with its headers. The connection ends with the response. */
const ask = (line: string, ...headers: string[]) =>
  [line, "Host: device.test", "Connection: close", ...headers, "", ""].join("\r\n");

/** Returns a stream that fails after the string. A stream that fails immediately would discard its content. */
const breakingAfter = (text: string, error: Error) => {
  let first = true;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (!first || text === "") throw error;
        first = false;
        controller.enqueue(new TextEncoder().encode(text));
      },
    },
    { highWaterMark: 0 },
  );
};

describe("the request", () => {
  test("has the method, the URL with its host, and the unchanged bytes of the body", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const seen: unknown[] = [];
    const { url } = await listen(async (request) => {
      seen.push(request.method, request.url, new Uint8Array(await request.arrayBuffer()));
      return new Response();
    });
    await fetch(`${url}/a%2Fb/?q=%20x&q=2`, { method: "POST", body: bytes });
    expect(seen).toEqual(["POST", `${url}/a%2Fb/?q=%20x&q=2`, bytes]);
  });

  test("reads from the socket only what the handler reads", async () => {
    const limit = 64 * 1024 * 1024;
    let sent = 0;
    let reading = false;
    const { port } = await listen(async (request) => {
      const reader = request.body?.getReader();
      await reader?.read();
      reading = true;
      await delay(100);
      await reader?.cancel();
      return new Response();
    });
    const socket = connect(port, "127.0.0.1");
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${limit}\r\n\r\n`);
    const piece = Buffer.alloc(64 * 1024);
    const push = () => {
      while (sent < limit && socket.write(piece)) sent += piece.length;
    };
    socket.on("drain", push);
    push();
    await vi.waitUntil(() => reading);
    await delay(50);
    // The kernel's buffers hold only a small part of it.
    expect(sent).toBeLessThan(limit / 2);
    socket.destroy();
  });

  test.each([
    ["not at all", async () => {}],
    ["in part", async (request: Request) => void (await request.body?.getReader().read())],
    ["and canceled", async (request: Request) => request.body?.cancel()],
  ])("lets the connection continue when its body was read %s", async (_, read) => {
    const { port } = await listen(async (request) => {
      if (request.method === "POST") await read(request);
      return new Response(request.method);
    });
    const body = "x".repeat(1_000_000);
    const post = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { text } = await raw(port, post, ask("PUT / HTTP/1.1"));
    expect(text.match(/POST|PUT/g)).toEqual(["POST", "PUT"]);
  });

  test("rejects a body whose response is already sent, instead of waiting forever", async () => {
    let late: Request | undefined;
    const { url } = await listen((request) => {
      late = request;
      return new Response("early");
    });
    await (await fetch(url, { method: "POST", body: "text" })).text();
    await expect(late?.text()).rejects.toThrow("before the response was sent");
  });

  test.each([
    ["a target that is neither path nor URL", "GET x/y HTTP/1.1\r\nHost: a\r\n"],
    ["a Host with a user", "GET / HTTP/1.1\r\nHost: good@evil\r\n"],
    ["two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n"],
    ["a method that a Request rejects", "TRACE / HTTP/1.1\r\nHost: a\r\n"],
  ])("receives a 400 for %s", async (_, head) => {
    const handler = vi.fn<NodeHandler>(() => new Response());
    const { port, url } = await listen(handler);
    const { text } = await raw(port, `${head}Connection: close\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[^]*\r\n\r\n$/);
    expect(text).not.toMatch(/transfer-encoding/i);
    expect(handler).not.toHaveBeenCalled();
    expect((await fetch(url)).status).toBe(200);
  });
});

describe("the signal", () => {
  test("aborts when the client disconnects, and its reason is not reported", async () => {
    const onError = vi.fn();
    let outcome: unknown;
    const { port } = await listen(
      async ({ signal }) => {
        await new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject((outcome = signal.reason))),
        );
        return new Response();
      },
      { onError },
    );
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await delay(20);
    socket.destroy();
    await vi.waitUntil(() => outcome !== undefined);
    expect(outcome).toMatchObject({
      name: "AbortError",
      message: "The connection closed before the response was sent.",
    });
    await delay(10);
    expect(onError).not.toHaveBeenCalled();
  });

  test("aborts together with the body when the upload breaks off", async () => {
    let failure: unknown;
    const { port } = await listen(async (request) => {
      await request.text().catch((error: unknown) => (failure = error));
      return new Response();
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
    await delay(20);
    socket.destroy();
    await vi.waitUntil(() => failure !== undefined);
    expect(failure).toMatchObject({ name: "AbortError" });
  });

  test("reports the error of a handler that fails after the client has disconnected", async () => {
    const onError = vi.fn();
    const { port } = await listen(
      async () => {
        await delay(40);
        throw new Error("late");
      },
      { onError },
    );
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await delay(10);
    socket.destroy();
    await vi.waitUntil(() => onError.mock.calls.length > 0);
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error("late"), expect.any(Request));
  });
});

describe("the response", () => {
  test("has the status, the status text, the headers, and each set-cookie", async () => {
    const headers = new Headers({ "x-one": "1" });
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    const { url } = await listen(
      () => new Response("body", { status: 207, statusText: "Some of it", headers }),
    );
    const response = await fetch(url);
    expect([response.status, response.statusText]).toEqual([207, "Some of it"]);
    expect(response.headers.get("x-one")).toBe("1");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.text()).toBe("body");
  });

  test("has the usual status text if the handler set none", async () => {
    const { url } = await listen(() => new Response(null, { status: 418 }));
    expect((await fetch(url)).statusText).toBe("I'm a Teapot");
  });

  test("has no content-type that the handler did not set", async () => {
    const { url } = await listen(() => new Response(new TextEncoder().encode("x")));
    expect((await fetch(url)).headers.has("content-type")).toBe(false);
  });

  test("to HEAD states no length that the handler has not stated", async () => {
    const { port } = await listen(() => new Response(null));
    const { text } = await raw(port, ask("HEAD / HTTP/1.1"));
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(text).not.toMatch(/content-length/i);
  });

  test.each([204, 304])("of status %i has neither body nor length", async (status) => {
    const { port } = await listen(() => new Response(null, { status }));
    const { text } = await raw(port, ask("GET / HTTP/1.1"));
    expect(text).toMatch(/\r\n\r\n$/);
    expect(text).not.toMatch(/content-length|transfer-encoding/i);
  });

  test("to HEAD has only the headers, and the stream of the body is canceled", async () => {
    let cancelled = false;
    const { port } = await listen(() => {
      const body = new ReadableStream({ cancel: () => void (cancelled = true) });
      return new Response(body, { headers: { "content-length": "12" } });
    });
    const { text } = await raw(port, ask("HEAD / HTTP/1.1"));
    expect(text).toMatch(/content-length: 12\r\n[^]*\r\n\r\n$/i);
    expect(cancelled).toBe(true);
  });

  test("is streamed: first the status, then each chunk when it is available", async () => {
    let say: (text: string) => void = () => {};
    let end = () => {};
    const { url } = await listen(() => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          say = (text) => controller.enqueue(new TextEncoder().encode(text));
          end = () => controller.close();
        },
      });
      return new Response(body);
    });
    const response = await fetch(url);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    say("one");
    expect((await reader?.read())?.value).toBe("one");
    say("two");
    expect((await reader?.read())?.value).toBe("two");
    end();
    expect((await reader?.read())?.done).toBe(true);
  });

  test("waits for a client that reads slowly, and is complete in the end", async () => {
    const total = 800;
    let produced = 0;
    const piece = new Uint8Array(64 * 1024);
    const { port } = await listen(() => {
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            if (produced === total) return controller.close();
            produced += 1;
            controller.enqueue(piece);
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { headers: { "content-length": String(total * piece.length) } });
    });
    const { destroy, responded } = get(port);
    const message = await responded;
    message.pause();
    await delay(100);
    expect(produced).toBeLessThan(total / 2);
    let length = 0;
    message.on("data", (chunk: Buffer) => (length += chunk.length));
    message.resume();
    await once(message, "end");
    expect(length).toBe(total * piece.length);
    destroy();
  });

  test("cancels the body's stream when the client disconnects, also while it waits for the client to read", async () => {
    for (const piece of [0, 1024 * 1024]) {
      let cancelled: unknown;
      const { port } = await listen(() => {
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) =>
            piece ? controller.enqueue(new Uint8Array(piece)) : new Promise(() => {}),
          cancel: (reason) => void (cancelled = reason),
        });
        return new Response(body);
      });
      const { destroy, responded } = get(port);
      (await responded).pause();
      await delay(20);
      destroy();
      await vi.waitUntil(() => cancelled !== undefined);
      expect(cancelled).toMatchObject({ name: "AbortError" });
    }
  });
});

describe("an error", () => {
  const broken: [string, NodeHandler][] = [
    [
      "throws",
      () => {
        throw new Error("private detail");
      },
    ],
    ["rejects", () => Promise.reject(new Error("private detail"))],
    ["returns nothing", () => undefined as unknown as Response],
    ["returns a response that cannot be sent", () => Response.error()],
    [
      "returns a header that cannot be sent",
      () => new Response("", { statusText: "Fine", headers: { x: "\u0001" } }),
    ],
    [
      "returns a body that was read already",
      async () => {
        const response = new Response("text");
        await response.text();
        return response;
      },
    ],
  ];

  test.each(broken)(
    "of a handler that %s is a 500 without details, and is reported",
    async (_, handler) => {
      const onError = vi.fn();
      const { port } = await listen(handler, { onError });
      const { text } = await raw(port, ask("POST /path?key=1 HTTP/1.1"));
      expect(text).toMatch(/^HTTP\/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n/);
      expect(text).toMatch(/\r\n\r\n$/);
      expect(text).not.toContain("private");
      expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(Error), expect.any(Request));
    },
  );

  test("of onError itself is ignored", async () => {
    for (const onError of [unexpected, (error: unknown) => Promise.reject(error)]) {
      const { url } = await listen(
        () => {
          throw new Error("first");
        },
        { onError },
      );
      expect((await fetch(url)).status).toBe(500);
      expect((await fetch(url)).status).toBe(500);
    }
  });

  test("is printed with console.error without onError", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { url } = await listen(() => {
      throw new Error("seen");
    }, {});
    await fetch(url);
    // The request carries the API key in a header, so it is not printed.
    expect(log).toHaveBeenCalledExactlyOnceWith(new Error("seen"));
    log.mockRestore();
  });

  test.each([
    ["chunked", {}],
    ["of a stated length", { "content-length": "20" }],
  ])(
    "in the middle of a body breaks a response that is %s, after the earlier bytes",
    async (_, headers) => {
      const error = new Error("source failed");
      const onError = vi.fn();
      const { port, url } = await listen(
        () => new Response(breakingAfter("twelve bytes", error), { headers }),
        { onError },
      );
      const { text } = await raw(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/);
      expect(text).toContain("twelve bytes");
      expect(text).not.toMatch(/0\r\n\r\n$/);
      expect(onError).toHaveBeenCalledExactlyOnceWith(error, expect.any(Request));
      const response = await fetch(url);
      await expect(response.text()).rejects.toThrow(TypeError);
    },
  );

  test("of a body resets an HTTP/1.0 connection, where a plain end would look like the end of the body", async () => {
    const { port } = await listen(() => new Response(breakingAfter("part", new Error("x"))), {
      onError() {},
    });
    expect((await raw(port, "GET / HTTP/1.0\r\n\r\n")).reset).toBe(true);
  });
});

describe("connection", () => {
  test("knows the peer's address", async () => {
    const { url } = await listen((_, connection) => new Response(connection.remoteAddress));
    expect(await (await fetch(url)).text()).toBe("127.0.0.1");
  });

  test("destroy resets the connection before the work", async () => {
    let isAborted: boolean | undefined;
    const { port } = await listen((request, connection) => {
      connection.destroy();
      isAborted = request.signal.aborted;
      return new Response("never sent");
    });
    expect(await raw(port, ask("GET / HTTP/1.1"))).toEqual({ text: "", reset: true });
    expect(isAborted).toBe(true);
  });

  test("destroy loses the response after the work", async () => {
    let work = "";
    const { port, url } = await listen(async (request, connection) => {
      work = await request.text();
      connection.destroy();
      return new Response("never sent");
    });
    const { text, reset } = await raw(port, ask("POST / HTTP/1.1", "Content-Length: 4"), "work");
    expect({ text, reset, work }).toEqual({ text: "", reset: true, work: "work" });
    await expect(fetch(url, { method: "POST", body: "again" })).rejects.toThrow(TypeError);
  });

  test("destroy cuts a response off after the bytes that were read before, without a report", async () => {
    const { port } = await listen((_, connection) => {
      const texts = ["first|", "second|"];
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const next = texts.shift();
            if (next === undefined) connection.destroy();
            else controller.enqueue(new TextEncoder().encode(next));
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { headers: { "content-length": "100" } });
    });
    const { text, reset } = await raw(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(text).toMatch(/\r\n\r\nfirst\|second\|$/);
    expect(reset).toBe(false);
  });
});

/** Sends a GET request. The test reads its response. */
function get(port: number) {
  const client = httpRequest({ port, host: "127.0.0.1", agent: false });
  // Tests destroy it intentionally.
  client.on("error", () => {});
  client.end();
  const responded = once(client, "response").then(([message]: IncomingMessage[]) => {
    if (!message) throw new Error("no response");
    return message.on("error", () => {});
  });
  return { responded, destroy: () => client.destroy() };
}

// How a message becomes a request. `node-listener.test.ts` sends messages over sockets.

function requestOf(
  message: { readonly method?: string; readonly url?: string; readonly rawHeaders?: string[] } = {},
): Request {
  const req = Object.assign(new IncomingMessage(new Socket()), {
    method: "GET",
    url: "/",
    rawHeaders: ["Host", "a.test"],
    ...message,
  });
  return toRequest(req, new ServerResponse(req), new AbortController().signal);
}

test.each([
  ["/", "a.test", "http://a.test/"],
  ["/a%2Fb/?q=%20x", "a.test:81", "http://a.test:81/a%2Fb/?q=%20x"],
  ["//elsewhere/x", "a.test", "http://a.test//elsewhere/x"],
  ["/x", "", "http://localhost/x"],
  ["/x", "[::1]:81", "http://[::1]:81/x"],
  ["http://b.test/x", "a.test", "http://b.test/x"],
  ["HTTPS://b.test/x", "a.test", "https://b.test/x"],
])("the target %s at the host %s is %s", (url, host, expected) => {
  expect(requestOf({ url, rawHeaders: ["Host", host] }).url).toBe(expected);
});

test("without a Host header, the host is localhost", () => {
  expect(requestOf({ url: "/x", rawHeaders: [] }).url).toBe("http://localhost/x");
});

test.each(["a b", "a\tb", "a/b", "a\\b", "a?b", "a#b", "u@a", "a, b", "/", "@"])(
  "the host %j is malformed",
  (host) => {
    expect(() => requestOf({ rawHeaders: ["Host", host] })).toThrow(
      new TypeError("Malformed Host header"),
    );
  },
);

test.each(["", "x", "*", "x/y", "ftp://a/", "xhttp://a/", "http:/a", "http:a"])(
  "the target %j is malformed",
  (url) => {
    expect(() => requestOf({ url })).toThrow(new TypeError("Malformed request target"));
  },
);

test.each<[string, string[], boolean]>([
  ["POST", ["Content-Length", "5"], true],
  ["DELETE", ["Content-Length", "5"], true],
  ["POST", ["Transfer-Encoding", "chunked"], true],
  ["POST", ["Content-Length", "0", "Transfer-Encoding", "chunked"], true],
  ["POST", ["Content-Length", "0"], false],
  ["POST", [], false],
  ["GET", ["Content-Length", "5"], false],
  ["HEAD", ["Transfer-Encoding", "chunked"], false],
])("%s with the headers %j has a body: %s", (method, rawHeaders, hasBody) => {
  const { body } = requestOf({ method, rawHeaders });
  expect(body !== null).toBe(hasBody);
});

test("every header is kept, in any case of letters, and one that is repeated is joined", () => {
  const rawHeaders = ["Host", "a.test", "X-One", "1", "x-one", "2", "Key", "k"];
  expect(Object.fromEntries(requestOf({ rawHeaders }).headers)).toEqual({
    host: "a.test",
    "x-one": "1, 2",
    key: "k",
  });
});
