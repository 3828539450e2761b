import { anything, notify, options, mistake } from "@fieldmesh/core/internal";
import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { Readable, PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Connection } from "../engine/serve/call.ts";

/** Responds to a request. If it throws, the peer receives a plain 500. */
export type NodeHandler = (
  request: Request,
  connection: Connection,
) => Response | Promise<Response>;

/** Options of {@link toNodeListener}. */
export interface NodeListenerOptions {
  /**
   * Receives the errors of the handler and of the stream of its body, which the peer never sees. The reason of an aborted
   * `request.signal` is not reported.
   *
   * @default prints the error, and never the request, whose headers contain the API key
   */
  onError?: ((error: unknown, request: Request) => void | Promise<void>) | undefined;
}

const readOptions = options<NodeListenerOptions>("toNodeListener", { onError: anything });

/**
 * Serves a function from `Request` to `Response` with Node's `http.createServer`.
 *
 * Bytes and headers are passed on unchanged in both directions, and bodies are streamed. The host of `request.url` comes from the
 * Host header, so do not trust it. `request.signal` aborts when the peer disconnects before it has the whole response. A body
 * that fails midway breaks the connection, so that the peer does not mistake the part for the whole. A message whose URL, method
 * or Host header is invalid gets a 400.
 *
 * @example
 * ```ts
 * const server = http.createServer(toNodeListener((request) => Response.json({ url: request.url })));
 * server.listen(0, "127.0.0.1");
 * ```
 */
export function toNodeListener(
  handler: NodeHandler,
  given: NodeListenerOptions = {},
): RequestListener {
  // oxlint-disable-next-line no-console -- a hidden error is worse than a line on stderr
  const { onError = (thrown) => console.error(thrown) } = readOptions(given);
  return (req, res) => void serve(handler, onError, req, res);
}

async function serve(
  handler: NodeHandler,
  onError: NonNullable<NodeListenerOptions["onError"]>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  const { signal } = gone;
  const leave = () =>
    gone.abort(
      new DOMException("The connection closed before the response was sent.", "AbortError"),
    );
  res.on("close", () => {
    if (!res.writableFinished) leave();
  });

  let request: Request;
  try {
    request = toRequest(req, res, signal);
  } catch {
    sendStatus(res, 400);
    return;
  }
  const connection: Connection = {
    remoteAddress: req.socket.remoteAddress,
    destroy: () => {
      leave();
      breakOff(req, res);
    },
  };
  try {
    await send(await handler(request, connection), req, res, signal);
  } catch (error) {
    if (isPeerGone(error, signal, res)) return;
    if (res.headersSent) breakOff(req, res);
    else if (!signal.aborted) sendStatus(res, 500);
    notify("onError", onError, (call) => call(error, request));
  }
}

/** Whether the error only says that the peer has closed the connection. */
function isPeerGone(error: unknown, signal: AbortSignal, res: ServerResponse): boolean {
  const { name, code = "" } = (error ?? {}) as { name?: string; code?: string };
  // The "close" event may come after the pipeline meets the destroyed response.
  return (signal.aborted && name === "AbortError") || (res.destroyed && CLOSED_STREAM.has(code));
}

const CLOSED_STREAM = new Set(["ERR_STREAM_UNABLE_TO_PIPE", "ERR_STREAM_PREMATURE_CLOSE"]);

async function send(
  response: Response,
  req: IncomingMessage,
  res: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { status, statusText, body, headers } = response;
  const source = body && Readable.fromWeb(body as never);
  const isBodyless = req.method === "HEAD" || status === 204 || status === 304;
  const isEmpty = !source && !isBodyless && !headers.has("content-length");
  try {
    res.writeHead(status, statusText || STATUS_CODES[status], [
      ...[...headers].flat(),
      ...(isEmpty ? ["content-length", "0"] : []),
    ]);
    if (source && !isBodyless) {
      // A stream without data must not delay the status.
      res.flushHeaders();
      // Without `end: false`, a failing body would discard the bytes before the failure.
      await pipeline(source, res, { end: false, signal });
    }
    res.end();
  } finally {
    source?.destroy();
  }
}

function sendStatus(res: ServerResponse, status: number): void {
  res.writeHead(status, STATUS_CODES[status], ["content-length", "0"]).end();
}

/** Ends the connection so that the peer does not mistake it for the regular end of a response. */
function breakOff({ socket, httpVersion }: IncomingMessage, res: ServerResponse): void {
  // HTTP/1.0 has no chunks: the end of the connection is the end of the body, and only a reset distinguishes them.
  if (!res.headersSent || httpVersion === "1.0") {
    socket.resetAndDestroy();
  } else {
    res.flushHeaders();
    socket.destroySoon();
  }
}

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
