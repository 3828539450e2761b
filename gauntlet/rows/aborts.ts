import { setTimeout as sleep } from "node:timers/promises";
import { connectProxy } from "../parts/connect-proxy.ts";
import { proxy } from "../parts/tcp-proxy.ts";
import { serve } from "../parts/origin.ts";
import { notTls } from "../parts/tls.ts";
import type { Context, Family, Row, World } from "../parts/row.ts";
import { bodyFor } from "../parts/label.ts";

/** A server that starts to respond and then hangs, and a caller that aborts. */
const begins = (text: string): Row["world"] =>
  proxy(async ({ client, forward, abort }) => {
    await forward();
    client.write(text, () => setTimeout(abort, 20));
  });

const works: Row["world"] = serve((request, response) => response.end(bodyFor(request.method)));

const responds = (status: number): Row["world"] =>
  serve((_, response) => response.writeHead(status, { "retry-after": "2" }).end());

/** Aborts a moment after the client has read a response. The server cannot time this, because it may be ahead of the client. */
const afterResponse: Row["options"] = ({ abort }) => ({
  hooks: { onResponse: () => void setTimeout(abort, 40) },
});

const bothWays = (end: string): Pick<Row, "get" | "post"> => ({ get: end, post: end });
const never = () => new Promise<never>(() => undefined);

const rows: Row[] = [
  {
    fault: "before the call",
    world: async (context) => (context.abort(), await works(context)),
    ...bothWays("AbortError not_sent ×0"),
  },
  {
    fault: "while a tunnel opens",
    world: connectProxy((_, open, { abort }) => (void open, abort())),
    ...bothWays("AbortError not_sent|unknown ×0"),
  },
  {
    fault: "in the TLS handshake",
    world: notTls((socket, { abort }) => socket.once("data", () => abort())),
    ...bothWays("AbortError not_sent|unknown ×0"),
  },
  {
    fault: "while the client sends to a server that reads nothing",
    world: notRead,
    options: { headers: { "x-large": "a".repeat(12_000) } },
    ...bothWays("AbortError not_sent|unknown ×0"),
  },
  {
    fault: "while the server handles the request",
    world: proxy(async ({ forward, abort }) => {
      await forward();
      abort();
    }),
    ...bothWays("AbortError unknown ×1"),
  },
  {
    fault: "in the response headers",
    world: begins("HTTP/1.1 200 OK\r\nx"),
    ...bothWays("AbortError unknown ×1"),
  },
  {
    fault: "in the response body",
    world: begins('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[{"id"'),
    ...bothWays("AbortError unknown ×1"),
  },
  {
    fault: "in an endless body",
    heavy: true,
    world: async ({ abort }) =>
      await serve((_, response) => {
        const timer = setInterval(() => response.destroyed || response.write(" "), 2);
        response.on("close", () => clearInterval(timer));
        setTimeout(abort, 50);
      })(),
    ...bothWays("AbortError unknown ×1"),
  },
  {
    fault: "in the wait before a retry, after a 503",
    world: responds(503),
    options: afterResponse,
    get: "AbortError unknown ×1",
    post: "ApiError 503 unknown ×1",
  },
  {
    fault: "in the pause after a 429",
    world: responds(429),
    options: afterResponse,
    ...bothWays("AbortError rejected ×1"),
  },
  {
    fault: "in the hook that runs before the request",
    world: works,
    options: ({ abort }) => ({ hooks: { onRequest: abort } }),
    ...bothWays("AbortError not_sent|unknown ×0|×1"),
  },
  {
    fault: "in the hook that runs after the response",
    world: works,
    options: ({ abort }) => ({ hooks: { onResponse: abort } }),
    ...bothWays("ok ×1 or AbortError unknown ×1"),
  },
  {
    fault: "in the hook that runs after a failure",
    world: proxy(({ client }) => client.resetAndDestroy()),
    options: ({ abort }) => ({ hooks: { onFailure: abort } }),
    ...bothWays("AbortError unknown ×0"),
  },
  {
    fault: "while the function for the key has not returned",
    world: works,
    options: ({ abort }) => ({ apiKey: () => (setTimeout(abort, 20), never()) }),
    ...bothWays("AbortError not_sent ×0"),
  },
  {
    fault: "while a fetch function ignores the signal",
    world: works,
    options: ({ abort }) => ({ fetch: () => (setTimeout(abort, 20), never()) }),
    ...bothWays("AbortError unknown ×0"),
  },
  {
    fault: "while the body of a fetch function ignores the signal",
    world: works,
    options: ({ abort }) => ({
      fetch: async () => {
        setTimeout(abort, 20);
        return new Response(new ReadableStream({ pull: never }));
      },
    }),
    ...bothWays("AbortError unknown ×0"),
  },
  {
    fault: "after the call",
    world: async (context) => {
      context.ended.addEventListener("abort", context.abort);
      return await works(context);
    },
    ...bothWays("ok ×1"),
  },
  {
    fault: "no abort, but a fetch function ignores the timeout",
    world: works,
    options: { fetch: never, timeout: 50, totalTimeout: 200 },
    get: "TimeoutError timeout|totalTimeout unknown ×0",
    post: "TimeoutError timeout|totalTimeout unknown ×0",
  },
];

export const aborts: Family = {
  title: "Aborts",
  rows: rows.map((row): Row => ({ ...row, nodeOnly: true })),
};

/** A server that accepts connections and reads nothing. */
async function notRead({ abort }: Context): Promise<World> {
  const world = await notTls(async (socket) => {
    socket.pause();
    await sleep(30);
    abort();
  })({ abort } as Context);
  return {
    ...world,
    url: world.url.replace("https", "http"),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
