import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { constants, createBrotliCompress, createDeflate, createGzip, gzipSync } from "node:zlib";
import { bodyFor } from "../parts/label.ts";
import { type Respond, sendJson, serve } from "../parts/origin.ts";
import type { Family, Row } from "../parts/row.ts";
import { proxy, respondRaw } from "../parts/tcp-proxy.ts";

const MIB = 2 ** 20;
const BOMB_MIB = 256;
// The best compression of brotli takes half a minute.
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const MALFORMED = "ConnectionError NETWORK_ERROR|HPE_*|UND_ERR_* unknown";
const BROKEN_CODE = "ConnectionError Z_*|ERR_*|TRUNCATED|NETWORK_ERROR|UND_ERR_SOCKET unknown";
/** The result for a complete body that does not fit: the call was carried out. */
const MISFIT = "ResponseValidationError applied ×1";
/** The method looks the created record up, which this server cannot show either. */
const NOT_FOUND = "ResponseValidationError applied ×2";
/** The result for a web page: the outcome is unknown. */
const PAGE = "ResponseValidationError unknown ×1";

/** Responds with a body of bytes, of a status and with headers. */
function body(
  content: () => string | Buffer,
  headers: Record<string, string> = {},
  status = 200,
): Respond {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(content());
  };
}

/** A complete and valid response with an unusual body. */
function odd(fault: string, content: string | Buffer, ends: Pick<Row, "get" | "post">): Row {
  return { fault, world: serve(body(() => content)), ...ends };
}

/** A raw response that breaks a rule of HTTP. */
function raw(fault: string, head: string, content: (right: string) => string): Row {
  return {
    fault,
    world: proxy(
      respondRaw((request) => {
        const right = bodyFor(request.toString("latin1").split(" ")[0]);
        return `HTTP/1.1 200 OK\r\n${head}\r\n\r\n${content(right)}`;
      }),
    ),
    get: `${MALFORMED} ×3`,
    post: `${MALFORMED} ×1`,
  };
}

type Packer = () => NodeJS.ReadWriteStream;

/** A body that unpacks to 256 MiB. */
function bomb(
  fault: string,
  [coding, ...packers]: [coding: string, ...packers: Packer[]],
  status = 200,
): Row {
  let bytes = Buffer.alloc(0);
  return {
    fault,
    heavy: true,
    prepare: async () => {
      const pack = (stream: NodeJS.ReadableStream, packer: Packer) => stream.pipe(packer());
      if (bytes.length === 0)
        bytes = await buffer(packers.reduce<NodeJS.ReadableStream>(pack, blanks()));
    },
    world: serve((...exchange) =>
      body(() => bytes, { "content-encoding": coding }, status)(...exchange),
    ),
    ...(status === 200
      ? { get: MISFIT, post: MISFIT }
      : { get: `ApiError ${status} unknown ×3`, post: `ApiError ${status} unknown ×1` }),
  };
}

/** Created in blocks, so that creating it does not count in the measured memory. */
function blanks(): Readable {
  const block = Buffer.alloc(MIB, " ");
  return Readable.from(Array.from({ length: BOMB_MIB }, () => block));
}

/** Writes the same bytes until the connection is closed. It stops after 256 MiB, because other clients read them all. */
function endless(chunk: string, status = 200): Respond {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    const bytes = Buffer.alloc(64 * 1024, chunk);
    let left = (BOMB_MIB * MIB) / bytes.length;
    const more = () => {
      while (left-- > 0 && !response.destroyed && response.write(bytes));
    };
    response.on("drain", more);
    more();
  };
}

/** Responds in a content coding. `change` modifies the compressed bytes. */
function packed(fault: string, change: (bytes: Buffer) => Buffer): Row {
  return {
    fault,
    world: serve((request, response, number) =>
      body(() => change(gzipSync(bodyFor(request.method))), { "content-encoding": "gzip" })(
        request,
        response,
        number,
      ),
    ),
    get: `${BROKEN_CODE} ×3`,
    post: `${BROKEN_CODE} ×1`,
  };
}

export const bodies: Family = {
  title: "Bodies",
  rows: [
    bomb("a gzip bomb: 256 KB that decompress to 256 MiB", ["gzip", createGzip]),
    bomb("a deflate bomb", ["deflate", createDeflate]),
    bomb("a brotli bomb", ["br", () => createBrotliCompress(QUICKLY)]),
    bomb("a gzip bomb in a gzip bomb", ["gzip, gzip", createGzip, createGzip]),
    bomb("a gzip bomb as the body of a 500", ["gzip", createGzip], 500),
    {
      fault: "an endless body",
      heavy: true,
      world: serve(endless("[")),
      get: MISFIT,
      post: MISFIT,
    },
    {
      fault: "endless whitespace",
      heavy: true,
      world: serve(endless(" ")),
      get: MISFIT,
      post: MISFIT,
    },
    {
      fault: "an endless body of a 502",
      heavy: true,
      world: serve(endless("<p>", 502)),
      get: "ApiError 502 unknown ×3",
      post: "ApiError 502 unknown ×1",
    },
    packed("the compressed body is truncated", (bytes) => bytes.subarray(0, -12)),
    packed("the compressed body is damaged", (bytes) =>
      Buffer.concat([bytes.subarray(0, 10), Buffer.alloc(40, 0xff)]),
    ),
    packed("the content-encoding says gzip, the body is not compressed", () => Buffer.from("[]")),
    {
      fault: "other bytes follow the compressed body",
      world: serve((request, response, number) =>
        body(() => Buffer.concat([gzipSync(bodyFor(request.method)), Buffer.from("junk")]), {
          "content-encoding": "gzip",
        })(request, response, number),
      ),
      get: `ok ×1 or ${BROKEN_CODE} ×3`,
    },
    {
      fault: "an unknown content-encoding",
      world: serve(body(() => "\u0001\u0002", { "content-encoding": "unknown" })),
      get: { request: "text ×1", method: MISFIT },
      // The spec does not show what this POST returns.
      post: { request: "text ×1", method: NOT_FOUND },
    },
    raw(
      "the content-length is too large, and the connection closes",
      "content-length: 5000",
      (right) => right,
    ),
    {
      ...raw("the content-length is too small", "content-length: 20", (right) => right),
      get: "ConnectionError TRUNCATED|NETWORK_ERROR|HPE_* unknown ×3",
      post: "ConnectionError TRUNCATED|NETWORK_ERROR|HPE_* unknown ×1",
    },
    raw(
      "two different content-lengths",
      "content-length: 5\r\ncontent-length: 50",
      (right) => right,
    ),
    raw("a content-length that is not a number", "content-length: ten", (right) => right),
    raw("a negative content-length", "content-length: -1", (right) => right),
    raw("a content-length of 30 digits", `content-length: ${"9".repeat(30)}`, (right) => right),
    raw(
      "a content-length together with chunked encoding",
      "content-length: 5\r\ntransfer-encoding: chunked",
      (right) => `${right.length.toString(16)}\r\n${right}\r\n0\r\n\r\n`,
    ),
    raw(
      "a chunk size that is not a number",
      "transfer-encoding: chunked",
      (right) => `zz\r\n${right}\r\n0\r\n\r\n`,
    ),
    raw(
      "a chunk size that overflows",
      "transfer-encoding: chunked",
      (right) => `${"f".repeat(20)}\r\n${right}\r\n0\r\n\r\n`,
    ),
    raw(
      "a chunk size that is too small",
      "transfer-encoding: chunked",
      (right) => `5\r\n${right}\r\n0\r\n\r\n`,
    ),
    raw(
      "the last chunk is missing",
      "transfer-encoding: chunked",
      (right) => `${right.length.toString(16)}\r\n${right}\r\n`,
    ),
    {
      ...raw(
        "chunks with extensions and trailers",
        "transfer-encoding: chunked\r\ntrailer: x-sum",
        (right) => `${right.length.toString(16)};a=b\r\n${right}\r\n0\r\nx-sum: 1\r\n\r\n`,
      ),
      get: "ok ×1",
      post: "ok ×1",
    },
    odd("the body is empty", "", {
      get: { request: "nothing ×1", method: MISFIT },
      post: { request: "nothing ×1", method: NOT_FOUND },
    }),
    {
      fault: "204 without a body",
      world: serve((_, response) => void response.writeHead(204).end()),
      get: { request: "nothing ×1", method: MISFIT },
      post: { request: "nothing ×1", method: NOT_FOUND },
    },
    ...[
      ["<!doctype html>", "<!DOCTYPE html><html><body>Sign in</body></html>"],
      ["a comment", "<!-- portal --><html><body>Sign in</body></html>"],
      ["an XML declaration", '<?xml version="1.0"?><html><body>Sign in</body></html>'],
      ["<head>", "<head><title>Sign in</title></head>"],
      ["<script>", "<script>location = '/login'</script>"],
      ["a byte order mark", "\ufeff<html><body>Sign in</body></html>"],
    ].map(([beginning = "", html = ""]): Row => ({
      fault: `200 with a sign-in page that begins with ${beginning}`,
      world: serve(body(() => html, { "content-type": "text/html" })),
      get: PAGE,
      post: PAGE,
    })),
    odd("200 with plain text", "Please sign in.", { get: { request: "text ×1", method: MISFIT } }),
    odd("null", "null", { get: { request: "other ×1", method: MISFIT } }),
    odd("a record instead of the list", "{}", { get: { request: "other ×1", method: MISFIT } }),
    odd("a list with values of the wrong types", '[{"id":1,"name":[]}]', {
      get: { request: "other ×1", method: MISFIT },
    }),
    odd("an error in a 200", '{"errors":{"error":"no"}}', {
      get: { request: "other ×1", method: MISFIT },
    }),
    odd("JSON with a trailing comma", '[{"id":"1","name":"Pumps"},]', {
      get: { request: "text ×1", method: MISFIT },
    }),
    odd("two JSON bodies", "[][]", { get: { request: "text ×1", method: MISFIT } }),
    odd("NaN", '[{"id":NaN}]', { get: { request: "text ×1", method: MISFIT } }),
    odd("a NUL in the body", "[\u0000]", { get: { request: "text ×1", method: MISFIT } }),
    odd("a byte order mark before the JSON", `\ufeff${bodyFor("GET")}`, { get: "ok ×1" }),
    odd("UTF-16", Buffer.from(bodyFor("GET"), "utf16le"), {
      get: { request: "text ×1", method: MISFIT },
    }),
    odd(
      "invalid UTF-8 in a string",
      Buffer.from(bodyFor("GET").replace("Pumps", "Pump\u00ff"), "latin1"),
      {
        get: MISFIT,
      },
    ),
    odd(
      "a duplicate field: the last one counts",
      bodyFor("GET").replace('"name":', '"name":"Old","name":'),
      { get: "ok ×1" },
    ),
    odd(
      "a field named __proto__",
      bodyFor("GET").replace('"name":', '"__proto__":{"polluted":true},"name":'),
      {
        get: "ok ×1",
      },
    ),
    odd(
      "an integer above 2^53 in a field for small integers",
      bodyFor("GET").replace('"multi_buy":1', '"multi_buy":9007199254740993'),
      // The contract does not show it in the list, so it drifts.
      { get: { request: "other ×1", method: "other ×1" } },
    ),
    odd(
      "a number with an exponent of 400 digits",
      bodyFor("GET").replace('"multi_buy":1', `"multi_buy":1e${"9".repeat(400)}`),
      {
        get: { request: "other ×1", method: `other ×1 or ${MISFIT}` },
      },
    ),
    {
      ...odd(
        "an integer of 900,000 digits",
        `[{"id":"1","name":"Pumps","multi_buy":${"9".repeat(900_000)}}]`,
        {
          get: { request: "other|text ×1", method: `other|text ×1 or ${MISFIT}` },
        },
      ),
      heavy: true,
    },
    {
      // Nobody can look for secret names that deep.
      ...odd("lists nested 100,000 deep", "[".repeat(100_000) + "]".repeat(100_000), {
        get: { request: MISFIT, method: MISFIT },
      }),
      heavy: true,
    },
    {
      ...odd("300 KB of empty records where labels are expected", `[${"{},".repeat(100_000)}{}]`, {
        get: { request: "other ×1", method: MISFIT },
      }),
      heavy: true,
    },
    {
      fault: "the content-type says HTML, the body is JSON",
      world: serve((request, response) => {
        response.setHeader("content-type", "text/html");
        response.end(bodyFor(request.method));
      }),
      get: "ok ×1",
      post: "ok ×1",
    },
    {
      fault: "a correct body with another 2xx status",
      world: serve(({ method }, response) => sendJson(response, 203, bodyFor(method))),
      get: "ok ×1",
      post: "ok ×1",
    },
  ],
};
