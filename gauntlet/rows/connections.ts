import { cut, drip, passOn, proxy, proxyWith, respondRaw } from "../parts/tcp-proxy.ts";
import { lateServer, nobody, nowhere } from "../parts/nobody.ts";
import type { Family } from "../parts/row.ts";
import { bodyFor } from "../parts/label.ts";

const body = (request: Buffer) => bodyFor(request.toString("latin1").split(" ")[0]);
const json = (request: Buffer) =>
  `content-type: application/json\r\ncontent-length: ${body(request).length}\r\n\r\n${body(request)}`;

export const connections: Family = {
  title: "Connections",
  rows: [
    {
      fault: "no fault; the response arrives in random parts",
      world: proxy(passOn),
      get: "ok ×1",
      post: "ok ×1",
    },
    {
      fault: "no server listens on the port",
      world: nobody,
      get: "ConnectionError ECONNREFUSED not_sent ×0",
      post: "ConnectionError ECONNREFUSED not_sent ×0",
    },
    {
      fault: "the host name does not exist",
      world: nowhere("http://gauntlet.invalid"),
      options: { allowInsecureHttp: true },
      get: "ConnectionError ENOTFOUND|EAI_AGAIN not_sent ×0",
      post: "ConnectionError ENOTFOUND|EAI_AGAIN not_sent ×0",
    },
    {
      // Only dispatchFetch tries it.
      fault: "fetch blocks the port",
      world: nowhere("http://127.0.0.1:1"),
      get: "ConnectionError NETWORK_ERROR|ECONNREFUSED not_sent ×0",
      post: "ConnectionError NETWORK_ERROR|ECONNREFUSED not_sent ×0",
    },
    {
      fault: "the server starts while the client retries",
      world: lateServer,
      options: { retry: { attempts: 20, baseDelay: 40, maxDelay: 40 } },
      get: "ok ×1",
      post: "ok ×1",
    },
    {
      fault: "every connection is reset immediately",
      world: proxyWith({ onConnect: (client) => client.resetAndDestroy() }),
      get: "ConnectionError ECONNRESET|UND_ERR_SOCKET|EPIPE not_sent|unknown ×0",
      post: "ConnectionError ECONNRESET|UND_ERR_SOCKET|EPIPE not_sent|unknown ×0",
    },
    {
      fault: "every connection is closed immediately",
      world: proxyWith({ onConnect: (client) => client.destroy() }),
      get: "ConnectionError ECONNRESET|UND_ERR_SOCKET|EPIPE not_sent|unknown ×0",
      post: "ConnectionError ECONNRESET|UND_ERR_SOCKET|EPIPE not_sent|unknown ×0",
    },
    {
      fault: "the connection is reset before the whole request arrives",
      world: proxyWith({ onFirstBytes: (client) => client.resetAndDestroy() }),
      get: "ConnectionError ECONNRESET|UND_ERR_SOCKET unknown ×0",
      post: "ConnectionError ECONNRESET|UND_ERR_SOCKET unknown ×0",
    },
    {
      fault: "the connection is reset after the server has carried out the request",
      world: proxy(async ({ client, forward }) => {
        await forward();
        client.resetAndDestroy();
      }),
      get: "ConnectionError ECONNRESET|UND_ERR_SOCKET unknown ×3",
      post: "ConnectionError ECONNRESET|UND_ERR_SOCKET unknown ×1",
    },
    {
      fault: "the connection is closed after the server has carried out the request",
      world: proxy(async ({ client, forward }) => {
        await forward();
        client.end();
      }),
      get: "ConnectionError UND_ERR_SOCKET unknown ×3",
      post: "ConnectionError UND_ERR_SOCKET unknown ×1",
    },
    {
      fault: "the request is carried out, and no response arrives",
      world: proxy(({ forward }) => forward()),
      // Long enough for the request to arrive, also on a busy machine.
      options: { timeout: 2_000 },
      get: "TimeoutError timeout unknown ×3",
      post: "TimeoutError timeout unknown ×1",
    },
    {
      fault: "no response arrives, and the whole call may last half a second",
      world: proxy(({ forward }) => forward()),
      options: { timeout: 5_000, totalTimeout: 500 },
      // Ten times the time would be the whole of `timeout`.
      within: 2_500,
      // The timer of the attempt may fire a moment before the end of the call.
      get: "TimeoutError totalTimeout unknown ×0|×1|×2",
      post: "TimeoutError totalTimeout unknown ×0|×1",
    },
    {
      fault: "the request is never read",
      world: proxyWith({ onConnect: (client) => client.pause() }),
      options: { timeout: 800 },
      get: "TimeoutError timeout unknown ×0",
      post: "TimeoutError timeout unknown ×0",
    },
    {
      fault: "the connection closes in the response headers",
      world: proxy(cut("head", "end")),
      get: "ConnectionError UND_ERR_SOCKET unknown ×3",
      post: "ConnectionError UND_ERR_SOCKET unknown ×1",
    },
    {
      fault: "the connection is reset in the response headers",
      world: proxy(cut("head", "resetAndDestroy")),
      get: "ConnectionError ECONNRESET|UND_ERR_SOCKET unknown ×3",
      post: "ConnectionError ECONNRESET|UND_ERR_SOCKET unknown ×1",
    },
    {
      fault: "the connection closes in the body",
      world: proxy(cut("body", "end")),
      get: "ConnectionError UND_ERR_SOCKET unknown ×3",
      post: "ConnectionError UND_ERR_SOCKET unknown ×1",
    },
    {
      fault: "the connection is reset in the body",
      world: proxy(cut("body", "resetAndDestroy")),
      get: "ConnectionError ECONNRESET|UND_ERR_SOCKET unknown ×3",
      post: "ConnectionError ECONNRESET|UND_ERR_SOCKET unknown ×1",
    },
    {
      fault: "the body ends early, without a content-length",
      world: proxy(respondRaw((request) => `HTTP/1.1 200 OK\r\n\r\n${body(request).slice(0, -1)}`)),
      get: "ConnectionError TRUNCATED unknown ×3",
      post: "ConnectionError TRUNCATED unknown ×1",
    },
    {
      fault: "the first connection is reset after the request is carried out; the second works",
      world: proxy(async (exchange) => {
        if (exchange.number > 1) return await passOn(exchange);
        await exchange.forward();
        exchange.client.resetAndDestroy();
      }),
      get: "ok ×2",
      post: "ConnectionError ECONNRESET|UND_ERR_SOCKET unknown ×1",
    },
    {
      fault: "the response arrives a byte every 10 ms, past the timeout",
      world: proxy(async ({ client, forward, chance, ended }) => {
        const response = await forward();
        client.write(response.subarray(0, 1));
        for (let at = 1; at < response.length && !ended.aborted; at++)
          await drip(client, response.subarray(at, at + 1), { every: 10, chance, ended });
      }),
      // Long enough for the request to arrive, also on a busy machine.
      options: { timeout: 2_000 },
      get: "TimeoutError timeout unknown ×3",
      post: "TimeoutError timeout unknown ×1",
    },
    {
      fault: "the response arrives slowly, and is complete before the timeout",
      world: proxy(async ({ client, forward, chance, ended }) =>
        drip(client, await forward(), { every: 5, chance, ended }),
      ),
      get: "ok ×1",
      post: "ok ×1",
    },
    {
      fault: "the response is not HTTP",
      world: proxy(respondRaw("SSH-2.0-OpenSSH_9.2\r\n")),
      get: "ConnectionError NETWORK_ERROR|HPE_* unknown ×3",
      post: "ConnectionError NETWORK_ERROR|HPE_* unknown ×1",
    },
    {
      fault: "the response is random bytes",
      world: proxy(async ({ client, forward, chance }) => {
        await forward();
        client.end(Buffer.from(Array.from({ length: 64 }, () => chance.int(128, 255))));
      }),
      get: "ConnectionError NETWORK_ERROR|HPE_* unknown ×3",
      post: "ConnectionError NETWORK_ERROR|HPE_* unknown ×1",
    },
    {
      fault: "the server half-closes the connection after the whole response",
      world: proxy(async ({ client, forward }) => void client.end(await forward())),
      get: "ok ×1",
      post: "ok ×1",
    },
    {
      fault: "the response starts before the request is complete",
      world: proxyWith({
        onFirstBytes: (client) =>
          client.end("HTTP/1.1 413 Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"),
        onRequest: () => undefined,
      }),
      get: "ApiError 413 rejected ×0",
      post: "ApiError 413 rejected ×0",
    },
    {
      fault: "an idle connection is closed before it is reused",
      world: proxy(async (exchange) => {
        await passOn(exchange);
        if (exchange.number === 1) exchange.client.end();
      }),
      warm: true,
      get: "ok ×1",
      post: "ok ×1",
    },
    {
      fault: "a reused connection is reset at its second request",
      world: proxy((exchange) =>
        exchange.number === 2 ? exchange.client.resetAndDestroy() : passOn(exchange),
      ),
      warm: true,
      get: "ok ×1",
      post: "ConnectionError ECONNRESET|UND_ERR_SOCKET unknown ×0",
    },
    {
      fault: "an extra response follows, which the next request must not receive",
      world: proxy(async ({ client, forward }) => {
        const stray = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n["stray"]';
        client.write(Buffer.concat([await forward(), Buffer.from(stray)]));
      }),
      warm: true,
      get: "ok ×1",
      post: "ok ×1",
    },
    {
      fault: "informational responses precede the response",
      world: proxy(
        respondRaw(
          (request) =>
            `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n${json(request)}`,
        ),
      ),
      get: "ok ×1",
      post: "ok ×1",
    },
    {
      fault: "the server switches to another protocol",
      world: proxy(
        respondRaw("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
      ),
      get: "ConnectionError UND_ERR_SOCKET unknown ×3",
      post: "ConnectionError UND_ERR_SOCKET unknown ×1",
    },
  ],
};
