/** What the adapter needs of Node's `IncomingMessage`. */
export interface NodeIncoming {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
  readonly socket: NodeSocket;
  on(event: string, listener: (chunk: Uint8Array) => void): unknown;
  off(event: string, listener: (chunk: Uint8Array) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** What the adapter needs of Node's `Socket`. */
export interface NodeSocket {
  readonly remoteAddress?: string | undefined;
  destroy(): unknown;
  destroySoon?(): unknown;
  resetAndDestroy?(): unknown;
}

/** What tells that request and answer are over: Node's `ServerResponse`. */
export interface NodeExchange {
  on(event: string, listener: () => void): unknown;
}

/**
 * Makes a Request of an incoming message; throws when its method, URL or Host header cannot be one.
 *
 * The body is taken from the socket only as it is read, and can be read until the exchange is over.
 */
export function toRequest(req: NodeIncoming, exchange: NodeExchange, signal: AbortSignal): Request {
  const method = req.method ?? "GET";
  const headers = new Headers();
  for (let i = 0; i + 1 < req.rawHeaders.length; i += 2) {
    headers.append(req.rawHeaders[i] ?? "", req.rawHeaders[i + 1] ?? "");
  }
  const url = requestUrl(req.url ?? "", headers.get("host"));
  const init: StreamingInit = { method, headers, signal };
  if (method !== "GET" && method !== "HEAD" && announcesBody(headers)) {
    init.body = bodyOf(req, exchange, signal);
    init.duplex = "half";
  }
  return new Request(url, init);
}

/** A streamed body needs `duplex`, which TypeScript's own DOM types do not have. */
type StreamingInit = RequestInit & { duplex?: "half" };

/** More than a host and a port would move the boundary between host and path. Two Host headers arrive as `a, b`. */
const HOST = /^[^\s/\\?#@]+$/;

function requestUrl(target: string, host: string | null): URL {
  const authority = host || "localhost";
  if (!HOST.test(authority)) throw new TypeError("Broken Host header");
  // Not `new URL(target, base)`: a target of `//elsewhere/` would replace the host.
  if (target.startsWith("/")) return new URL(`http://${authority}${target}`);
  if (/^https?:\/\//i.test(target)) return new URL(target);
  throw new TypeError("Broken request target");
}

/** In HTTP/1 a request without either header has no body. */
function announcesBody(headers: Headers): boolean {
  return headers.has("transfer-encoding") || (headers.get("content-length") ?? "0") !== "0";
}

function bodyOf(
  req: NodeIncoming,
  exchange: NodeExchange,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const drop = () => {
    req.off("data", onData);
    req.off("end", onEnd);
    // An unread rest would block the next request of this connection.
    req.resume();
  };
  let onData = (_chunk: Uint8Array) => {};
  let onEnd = () => {};
  const source = {
    start(controller: ReadableStreamDefaultController<Uint8Array>) {
      onData = (chunk) => {
        // Pause first: enqueue may ask for the next chunk before it returns.
        req.pause();
        controller.enqueue(chunk);
      };
      onEnd = () => controller.close();
      // A paused message stays paused when somebody listens to it.
      req.pause();
      req.on("data", onData);
      req.on("end", onEnd);
      exchange.on("close", () => {
        controller.error(
          signal.reason ?? new Error("The request body was not read before the answer was sent."),
        );
        drop();
      });
    },
    pull: () => void req.resume(),
    cancel: drop,
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
