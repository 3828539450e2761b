import type { RawBody } from "../verify/body.js";
import { concat, type RawReceiver, type ReceiverAnswer } from "./raw-message.js";

/** What the adapter needs of Node's `IncomingMessage`, with what parsers of frameworks leave on it. */
export interface NodeMessage {
  readonly method?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly readableEnded: boolean;
  /** What a body parser made of it. */
  readonly body?: unknown;
  /** Where a parser was told to keep the bytes. */
  readonly rawBody?: unknown;
  on(event: string, listener: (chunk: Uint8Array) => void): unknown;
  off(event: string, listener: (chunk: Uint8Array) => void): unknown;
  resume(): unknown;
}

/** What the adapter needs of Node's `ServerResponse`. */
export interface NodeAnswer {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

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
): (req: NodeMessage, res: NodeAnswer) => Promise<void> {
  return nodeHandler(receiver, NODE_HINT);
}

/** As `toNodeHandler`, with the line to change where a parser of a framework was faster. */
export function nodeHandler(
  { receive }: RawReceiver,
  hint: string,
): (req: NodeMessage, res: NodeAnswer) => Promise<void> {
  return async (req, res) => {
    const { status, headers, body } = await receive({
      method: req.method,
      headers: req.headers,
      body: (limit) => readNode(req, limit, hint),
    });
    send(res, { status, headers, body });
  };
}

function send(res: NodeAnswer, { status, headers, body }: ReceiverAnswer): void {
  res.writeHead(status, { ...headers, "content-length": String(body.length) });
  res.end(body);
}

/** Gives the raw body, wherever it is; throws a TypeError with the hint where only a parsed one is left. */
export async function readNode(
  req: NodeMessage,
  limit: number,
  hint: string,
): Promise<RawBody | undefined> {
  const kept = req.rawBody ?? req.body;
  if (typeof kept === "string" || isBytes(kept)) return kept;
  // Parsers leave an object; a stream that has ended without one was read by somebody else.
  if (kept != null || req.readableEnded) throw new TypeError(hint);
  return readIncoming(req, limit);
}

function isBytes(value: unknown): value is Uint8Array {
  // By its tag, not its class: a test runner's Buffer may be of another realm.
  return Object.prototype.toString.call(value) === "[object Uint8Array]";
}

function readIncoming(req: NodeMessage, limit: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const stop = () => {
      req.off("data", onData);
      req.off("end", onEnd);
      req.off("error", onError);
      req.off("close", onClose);
    };
    const onData = (chunk: Uint8Array) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= limit) return;
      stop();
      // What comes is thrown away until the answer has ended the connection.
      req.resume();
      resolve(undefined);
    };
    const onEnd = () => {
      stop();
      resolve(concat(chunks, length));
    };
    const onError = (error: unknown) => {
      stop();
      reject(error);
    };
    const onClose = () => onError(new Error("The sender left before its body was complete."));
    req.on("data", onData);
    req.on("end", onEnd);
    req.on("error", onError);
    req.on("close", onClose);
  });
}
