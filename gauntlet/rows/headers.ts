import { setTimeout } from "node:timers/promises";
import { serve } from "../parts/origin.ts";
import { proxy, respondRaw, write } from "../parts/tcp-proxy.ts";
import { KEY } from "../run/canary.ts";
import type { Family, Row } from "../parts/row.ts";
import { bodyFor } from "../parts/label.ts";

const TOO_MANY =
  "ConnectionError UND_ERR_HEADERS_OVERFLOW|HPE_*|NETWORK_ERROR|UND_ERR_SOCKET unknown";
const MALFORMED = "ConnectionError NETWORK_ERROR|HPE_*|UND_ERR_* unknown";

/** A correct response with other header lines. */
function head(
  fault: string,
  lines: string,
  ends: Pick<Row, "get" | "post">,
  status = "200 OK",
): Row {
  const respond = (request: Buffer) => {
    const body = bodyFor(request.toString("latin1").split(" ")[0]);
    return `HTTP/1.1 ${status}\r\n${lines}content-length: ${body.length}\r\n\r\n${body}`;
  };
  return { fault, world: proxy(respondRaw(respond)), ...ends };
}

const fails = (how: string): Pick<Row, "get" | "post"> => ({ get: `${how} ×3`, post: `${how} ×1` });
const works: Pick<Row, "get" | "post"> = { get: "ok ×1", post: "ok ×1" };

/** An error whose headers repeat the key, which must not be shown. */
function echo(fault: string, headers: Record<string, string>): Row {
  return {
    fault,
    world: serve((_, response) => void response.writeHead(500, headers).end()),
    ...fails("ApiError 500 unknown"),
  };
}

export const headers: Family = {
  title: "Headers",
  rows: [
    {
      fault: "endless headers",
      heavy: true,
      world: proxy(async ({ client, forward, ended }) => {
        await forward();
        client.write("HTTP/1.1 200 OK\r\n");
        for (let number = 0; !client.destroyed && !ended.aborted; number++)
          await write(client, [Buffer.from(`x-${number}: ${"a".repeat(1_000)}\r\n`)]);
      }),
      ...fails(TOO_MANY),
    },
    {
      fault: "one endless header",
      heavy: true,
      world: proxy(async ({ client, forward, ended }) => {
        await forward();
        client.write("HTTP/1.1 200 OK\r\nx: ");
        while (!client.destroyed && !ended.aborted) await write(client, [Buffer.alloc(1_000, "a")]);
      }),
      ...fails(TOO_MANY),
    },
    {
      fault: "an endless status line",
      world: proxy(async ({ client, forward, ended }) => {
        await forward();
        client.write("HTTP/1.1 200 ");
        // The parser drops the reason as it comes, so that only time ends this, and at full speed the garbage of this loop would be all that is measured.
        while (!client.destroyed && !ended.aborted) {
          client.write("a".repeat(1_000));
          await setTimeout(1);
        }
      }),
      // Long enough for the request to arrive, also on a busy machine.
      options: { timeout: 2_000 },
      ...fails("TimeoutError timeout unknown"),
    },
    head("a header of 20 KB", `x: ${"a".repeat(20_000)}\r\n`, fails(TOO_MANY)),
    head(
      "10,000 headers",
      Array.from({ length: 10_000 }, (_, i) => `x${i}: 1\r\n`).join(""),
      fails(TOO_MANY),
    ),
    head("200 headers", Array.from({ length: 200 }, (_, i) => `x${i}: 1\r\n`).join(""), works),
    head("a header without a colon", "nonsense\r\n", fails(MALFORMED)),
    head("a header without a name", ": 1\r\n", fails(MALFORMED)),
    head("a NUL in a header", "x: a\0b\r\n", fails(MALFORMED)),
    head("a space before the colon of a header", "x : 1\r\n", fails(MALFORMED)),
    head("non-ASCII bytes in a header", "x: \u00e9\u00ff\r\n", works),
    head("no reason phrase in the status line", "", works, "200"),
    head("a status of two digits", "", fails(MALFORMED), "99 Low"),
    head("a status of four digits", "", fails(MALFORMED), "2000 High"),
    {
      fault: "an HTTP version that does not exist",
      world: proxy(respondRaw("HTTP/7.3 200 OK\r\ncontent-length: 2\r\n\r\n[]")),
      ...fails(MALFORMED),
    },
    echo("a request id that is the key", { "x-request-id": KEY }),
    echo("a request id that is the key in capitals", { "x-request-id": KEY.toUpperCase() }),
    echo("a request id with the key in base64", {
      "x-request-id": `id-${Buffer.from(KEY).toString("base64")}`,
    }),
    echo("a request id with the key in hex", { "request-id": Buffer.from(KEY).toString("hex") }),
    echo("a cookie with half of the key", { "set-cookie": `s=${KEY.slice(4, 16)}` }),
    echo("a Location that contains the key", { location: `https://elsewhere.example/${KEY}` }),
    echo("another header that contains the key", { "x-debug": `you sent ${KEY}` }),
    {
      fault: "an error body that repeats the key, as a string and as a field name",
      world: serve((_, response) =>
        response
          .writeHead(422)
          .end(JSON.stringify({ errors: { error: `bad ${KEY}`, [KEY]: [KEY.toLowerCase()] } })),
      ),
      get: "ApiError 422 rejected ×1",
      post: "ApiError 422 rejected ×1",
    },
  ],
};
