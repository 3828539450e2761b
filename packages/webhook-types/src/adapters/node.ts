import { concatBytes } from "@fieldmesh/core";
import { isBytes, type RawBody } from "../verify/body.ts";
import { receiveOf, type RawReceiver } from "./raw-message.ts";

/** What the adapter needs of Node's `IncomingMessage`, with what parsers of frameworks leave on it. */
export interface NodeMessage {
  readonly method?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly readableEnded: boolean;
  readonly destroyed?: boolean | undefined;
  /** What a body parser made of it. */
  readonly body?: unknown;
  /** Where a parser was told to keep the bytes. */
  readonly rawBody?: unknown;
  on(event: string, listener: (chunk: Uint8Array) => void): unknown;
}

/** What the adapter needs of Node's `ServerResponse`. */
export interface NodeResponse {
  writeHead(status: number, headers: { [name: string]: string }): unknown;
  end(body: string): unknown;
}

const GONE = "The sender left before its body was complete.";
const NODE_HINT =
  "Something has read this request before the webhook receiver got it. Give the receiver the request first.";

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

/** As `toNodeHandler`, with a hint that says which line to change where a parser of a framework ran first. */
export function nodeHandler(
  receiver: RawReceiver,
  hint: string,
): (req: NodeMessage, res: NodeResponse) => Promise<void> {
  const receive = receiveOf(receiver);
  return (req, res) =>
    receive({
      method: req.method,
      headers: req.headers,
      body: (limit) => readNode(req, limit, hint),
    }).then(({ status, headers, body }) => {
      res.writeHead(status, headers);
      res.end(body);
    });
}

/** Returns the raw body, wherever it is. Throws a TypeError with the hint if only a parsed one is left. */
export function readNode(
  req: NodeMessage,
  limit: number,
  hint: string,
): Promise<RawBody | undefined> {
  const kept = req.rawBody ?? req.body;
  if (typeof kept === "string" || isBytes(kept)) return Promise.resolve(kept);
  // Parsers leave an object. A stream that has ended without one was read by other code.
  if (kept != null || req.readableEnded) throw new TypeError(hint);
  // Its "close" event was already emitted.
  if (req.destroyed === true) throw new Error(GONE);
  return readIncoming(req, limit);
}

function readIncoming(req: NodeMessage, limit: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] = [];
    let length = 0;
    req.on("data", (chunk: Uint8Array) => {
      length += chunk.length;
      if (length <= limit) {
        chunks.push(chunk);
      } else {
        // The rest is discarded until the response has ended the connection.
        chunks = [];
        resolve(undefined);
      }
    });
    let isComplete = false;
    req.on("end", () => {
      isComplete = true;
      resolve(concatBytes(chunks, length));
    });
    // Every message emits "close", also one that is complete. Creating an error for each of those is expensive.
    const onGone = () => {
      if (!isComplete) reject(new Error(GONE));
    };
    req.on("error", onGone);
    req.on("close", onGone);
  });
}
