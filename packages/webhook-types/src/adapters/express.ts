import { nodeHandler, type NodeResponse, type NodeMessage } from "./node.ts";
import type { RawReceiver } from "./raw-message.ts";

const EXPRESS_HINT =
  "express.json() ran before the webhook receiver, so the raw body is gone. Move app.post(…, toExpressHandler(receive)) above app.use(express.json()).";

/**
 * Serves a receiver as a route of Express 5. It needs no body parser: put it above `app.use(express.json())`.
 *
 * If `express.raw()` or `express.text()` ran before it, it uses the body that they kept.
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
