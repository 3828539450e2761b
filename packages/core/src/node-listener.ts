import { type NodeExchange, type NodeIncoming, toRequest } from "./node-request.ts";

export type { NodeExchange, NodeIncoming, NodeSocket } from "./node-request.ts";

/** Answers a request. What it throws is answered with a plain 500. */
export type NodeHandler = (
  request: Request,
  connection: NodeConnection,
) => Response | Promise<Response>;

/** The connection that a request came over. */
export interface NodeConnection {
  /** The peer's IP address. */
  readonly remoteAddress: string | undefined;
  /**
   * Breaks the connection on purpose, for a server that plays faults.
   *
   * Before the handler has returned: a reset without an answer. While its body is read: the bytes that were read so far
   * go out, then the connection ends in the middle of the body. Aborts `request.signal`.
   */
  destroy(): void;
}

export interface NodeListenerOptions {
  /**
   * Is told what the handler threw, or the stream of its body; the peer is not.
   * The reason of an aborted `request.signal` is no fault and is not reported.
   *
   * @default console.error
   */
  onError?: ((error: unknown, request: Request) => void | Promise<void>) | undefined;
}

/** What the adapter needs of Node's `ServerResponse`. */
export interface NodeOutgoing extends NodeExchange {
  statusMessage: string;
  readonly headersSent: boolean;
  readonly writableFinished: boolean;
  writeHead(status: number, headers: string[]): unknown;
  flushHeaders(): void;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
}

/** A listener for `http.createServer`; it returns at once and never throws. */
export type NodeListener = (req: NodeIncoming, res: NodeOutgoing) => void;

/**
 * Serves a `Request` to `Response` function with Node's `http.createServer`.
 *
 * Bytes and headers pass untouched in both directions, and bodies are streamed. `request.url` is made of the Host
 * header, so do not trust its host. `request.signal` aborts when the peer leaves before it has the whole answer.
 * A body that fails midway breaks the connection, so that the peer cannot take the part for the whole.
 * A message whose URL, method or Host header cannot be a Request is answered with 400.
 *
 * @example
 * ```ts
 * const server = http.createServer(toNodeListener((request) => Response.json({ url: request.url })));
 * server.listen(0, "127.0.0.1");
 * ```
 */
export function toNodeListener(
  handler: NodeHandler,
  options: NodeListenerOptions = {},
): NodeListener {
  return (req, res) => {
    void serve(handler, options, req, res);
  };
}

async function serve(
  handler: NodeHandler,
  options: NodeListenerOptions,
  req: NodeIncoming,
  res: NodeOutgoing,
) {
  const gone = new AbortController();
  const leave = () =>
    gone.abort(new DOMException("The connection closed before the answer was sent.", "AbortError"));
  res.on("close", () => {
    if (!res.writableFinished) leave();
  });
  // A write that meets a closed socket; "close" follows, and says all that matters.
  res.on("error", () => {});

  let request: Request;
  try {
    request = toRequest(req, res, gone.signal);
  } catch {
    return answer(res, 400);
  }
  const connection: NodeConnection = {
    remoteAddress: req.socket.remoteAddress,
    destroy: () => {
      leave();
      breakOff(req, res);
    },
  };
  try {
    await send(await handler(request, connection), req, res, gone.signal);
  } catch (error) {
    if (gone.signal.aborted && error === gone.signal.reason) return;
    if (res.headersSent) breakOff(req, res);
    else if (!gone.signal.aborted) answer(res, 500);
    await report(options, error, request);
  }
}

function answer(res: NodeOutgoing, status: number): void {
  // What the failed answer may have left here.
  res.statusMessage = "";
  res.writeHead(status, ["content-length", "0"]);
  res.end();
}

async function report(options: NodeListenerOptions, error: unknown, request: Request) {
  // oxlint-disable-next-line no-console -- a fault that nobody hears of is worse than a line on stderr
  const onError: NonNullable<NodeListenerOptions["onError"]> = options.onError ?? console.error;
  try {
    await onError(error, request);
  } catch {
    // There is nobody left to tell, and one request must not end the process.
  }
}

async function send(
  response: Response,
  req: NodeIncoming,
  res: NodeOutgoing,
  signal: AbortSignal,
): Promise<void> {
  const reader = response.body?.getReader();
  const stop = (reason?: unknown) => void reader?.cancel(reason).catch(() => {});
  if (signal.aborted) return stop(signal.reason);
  const bodyless = req.method === "HEAD" || response.status === 204 || response.status === 304;
  try {
    if (response.statusText) res.statusMessage = response.statusText;
    res.writeHead(response.status, rawHeaders(response, !reader && !bodyless));
  } catch (error) {
    stop(error);
    throw error;
  }
  if (bodyless) stop();
  else if (reader) await pump(reader, res, signal);
  if (!signal.aborted) res.end();
}

function rawHeaders({ headers }: Response, empty: boolean): string[] {
  const raw: string[] = [];
  // Each set-cookie comes by itself.
  headers.forEach((value, name) => raw.push(name, value));
  if (empty && !headers.has("content-length")) raw.push("content-length", "0");
  return raw;
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  res: NodeOutgoing,
  signal: AbortSignal,
) {
  let writable = () => {};
  res.on("drain", () => writable());
  signal.addEventListener("abort", () => {
    reader.cancel(signal.reason).catch(() => {});
    writable();
  });
  // A stream that has nothing to say yet shall not hold back the status; one that has shares its packet.
  const head = setTimeout(() => res.flushHeaders(), 0);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      clearTimeout(head);
      if (done || signal.aborted) return;
      if (res.write(value)) continue;
      await new Promise<void>((resolve) => {
        writable = resolve;
      });
      if (signal.aborted) return;
    }
  } finally {
    clearTimeout(head);
  }
}

/** Ends the connection so that nobody can take it for the regular end of an answer. */
function breakOff({ socket, httpVersion }: NodeIncoming, res: NodeOutgoing): void {
  // HTTP/1.0 has no chunks: there the end of the connection is the end of the body, and only a reset tells them apart.
  const reset = !res.headersSent || httpVersion === "1.0";
  try {
    if (reset && socket.resetAndDestroy) {
      socket.resetAndDestroy();
    } else if (!reset && socket.destroySoon) {
      res.flushHeaders();
      socket.destroySoon();
    } else {
      socket.destroy();
    }
  } catch {
    // Only a plain TCP socket can be reset.
    socket.destroy();
  }
}
