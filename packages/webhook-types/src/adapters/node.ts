import { addChunk, concatBytes, mistake } from "@fieldmesh/core/internal";
import { isBytes, type RawBody } from "../verify/message.ts";
import { receiveOf, type RawMessage, type RawReceiver } from "./raw-message.ts";

/** The parts of Node's `IncomingMessage` that the adapter uses, with the members that framework parsers add. */
export interface NodeMessage {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The whole path, where a framework shortens `url`. */
  readonly originalUrl?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly readableEnded: boolean;
  /** Whether a part of the stream was read. Other runtimes may not have it. */
  readonly readableDidRead?: boolean | undefined;
  readonly destroyed?: boolean | undefined;
  /** The parsed body, if a body parser ran. */
  readonly body?: unknown;
  /** The raw body, if a parser was configured to keep it. */
  readonly rawBody?: unknown;
  on(event: string, listener: (chunk: Uint8Array) => void): unknown;
  resume?(): unknown;
}

/** The parts of Node's `ServerResponse` that the adapter uses. */
export interface NodeResponse {
  /** Whether other code has responded, such as a middleware after a timeout. */
  readonly headersSent?: boolean | undefined;
  readonly writableFinished?: boolean | undefined;
  writeHead(status: number, headers: { [name: string]: string }): unknown;
  end(body: string): unknown;
  once?(event: "close", listener: () => void): unknown;
}

const GONE = "The sender disconnected before its body was complete.";
const NODE_HINT =
  "This request was read before it reached the webhook receiver. Pass the request to the receiver first. In an API route of Next.js, export const config = { api: { bodyParser: false } }.";

/**
 * Serves a receiver with Node's `http.createServer`, without the cost of a Request for each delivery.
 *
 * @example
 * ```ts
 * http.createServer(toNodeHandler(receive)).listen(3000);
 * ```
 */
export function toNodeHandler(
  receiver: RawReceiver,
): (req: NodeMessage, res: NodeResponse) => Promise<void> {
  return nodeHandler(receiver, NODE_HINT);
}

/** Works like `toNodeHandler`. If a framework parser ran first, the error contains a hint that names the line to change. */
export function nodeHandler(
  receiver: RawReceiver,
  hint: string,
): (req: NodeMessage, res: NodeResponse) => Promise<void> {
  const receive = receiveOf(receiver);
  return async (req, res) => {
    const { status, headers, body } = await receive(messageOf(req, res, hint));
    // The sender has a response, such as that of a timeout, and retries. A second one would throw.
    if (res.headersSent === true) return;
    res.writeHead(status, headers);
    res.end(body);
  };
}

export function messageOf(
  req: NodeMessage,
  res: Pick<NodeResponse, "once" | "writableFinished">,
  hint: string,
): RawMessage {
  return {
    method: req.method,
    headers: req.headers,
    url: req.originalUrl ?? req.url,
    body: (limit, late) => readNode(req, limit, late, hint),
    signal: goneSignal(res),
  };
}

/** Returns a signal that aborts when the sender disconnects before it has received the response. */
function goneSignal(res: Pick<NodeResponse, "once" | "writableFinished">): AbortSignal {
  const gone = new AbortController();
  res.once?.("close", () => {
    if (res.writableFinished !== true) gone.abort(new DOMException(GAVE_UP, "AbortError"));
  });
  return gone.signal;
}

const GAVE_UP = "The sender disconnected before it received the response.";

/** Returns the raw body from wherever it is. Throws a TypeError with the hint if only a parsed body is left. */
export function readNode(
  req: NodeMessage,
  limit: number,
  late: AbortSignal,
  hint: string,
): Promise<RawBody | undefined> {
  const kept = [req.rawBody, req.body].find((each) => typeof each === "string" || isBytes(each));
  if (kept !== undefined) return Promise.resolve(kept as RawBody);
  // body-parser 1 of Express 4 sets body to {} even if it leaves the stream to others, so the object alone says nothing.
  const wasRead = req.readableDidRead ?? (req.rawBody ?? req.body) != null;
  if (wasRead || req.readableEnded) throw mistake(hint);
  // The "close" event was already emitted.
  if (req.destroyed === true) throw new Error(GONE);
  return readIncoming(req, limit, late);
}

function readIncoming(
  req: NodeMessage,
  limit: number,
  late: AbortSignal,
): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] = [];
    let length = 0;
    // The rest is discarded until the response has ended the connection.
    const discard = () => {
      length = Number.POSITIVE_INFINITY;
      chunks = [];
      resolve(undefined);
    };
    late.addEventListener("abort", discard);
    req.on("data", (chunk: Uint8Array) => {
      length += chunk.length;
      if (length <= limit) addChunk(chunks, chunk);
      else discard();
    });
    let isComplete = false;
    req.on("end", () => {
      isComplete = true;
      if (length <= limit) resolve(concatBytes(chunks, length));
    });
    // Every message emits "close", even a complete one, and creating an error for each would be expensive.
    const onGone = () => {
      if (!isComplete) reject(new Error(GONE));
    };
    req.on("error", onGone);
    req.on("close", onGone);
    // A listener alone does not continue a stream that other code has paused.
    req.resume?.();
  });
}
