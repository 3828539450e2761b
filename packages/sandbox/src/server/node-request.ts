import { mistake } from "@fieldmesh/core/internal";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough, Readable } from "node:stream";

/** Makes a Request, or throws. The body is read from the socket only as the handler reads it, until the response is sent. */
export function toRequest(req: IncomingMessage, res: ServerResponse, signal: AbortSignal): Request {
  const { method = "GET", url = "", rawHeaders } = req;
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    headers.append(rawHeaders[i] ?? "", rawHeaders[i + 1] ?? "");
  const hasBody = method !== "GET" && method !== "HEAD" && announcesBody(headers);
  return new Request(requestUrl(url, headers.get("host")), {
    method,
    headers,
    signal,
    ...(hasBody && { body: bodyOf(req, res, signal), duplex: "half" }),
  });
}

/** More than a host and a port would move the boundary between host and path. Two Host headers arrive as `a, b`. */
const HOST = /^[^\s/\\?#@]+$/;

function requestUrl(target: string, host: string | null): URL {
  const authority = host || "localhost";
  if (!HOST.test(authority)) throw mistake("Malformed Host header");
  // Not `new URL(target, base)`: a target of `//elsewhere/` would replace the host.
  if (target.startsWith("/")) return new URL(`http://${authority}${target}`);
  if (/^https?:\/\//i.test(target)) return new URL(target);
  throw mistake("Malformed request target");
}

/** In HTTP/1 a request without either header has no body. */
function announcesBody(headers: Headers): boolean {
  return headers.has("transfer-encoding") || (headers.get("content-length") ?? "0") !== "0";
}

function bodyOf(
  req: IncomingMessage,
  res: ServerResponse,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  // A handler that cancels the body destroys this stream, and not the connection that the message came over.
  const body = req.pipe(new PassThrough());
  res.once("close", () => {
    body.destroy(
      (signal.reason as Error | undefined) ??
        new Error("The request body was not read before the response was sent."),
    );
    // An unread rest would block the next request of this connection.
    req.unpipe(body).resume();
  });
  return Readable.toWeb(body) as ReadableStream<Uint8Array>;
}
