import { nodeHandler, type NodeResponse, type NodeMessage } from "./node.ts";
import type { RawReceiver } from "./raw-message.ts";

const EXPRESS_HINT =
  "A body parser, such as express.json(), has read this body before the webhook receiver, so the raw one is gone. Move app.post(…, toExpressHandler(receive)) above app.use(express.json()).";

/**
 * Serves a receiver as a route of Express 4 or 5. It needs no body parser: put it above `app.use(express.json())`.
 *
 * It uses the body that `express.raw()` or `express.text()` kept, and reads one that the parsers before it left alone.
 *
 * @example
 * ```ts
 * app.post("/hooks", toExpressHandler(receive));
 * app.use(express.json());
 * ```
 */
export function toExpressHandler(
  receiver: RawReceiver,
): (req: NodeMessage, res: NodeResponse) => Promise<void> {
  return nodeHandler(receiver, EXPRESS_HINT);
}
