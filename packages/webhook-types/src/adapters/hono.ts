import { memberOf } from "@fieldmesh/core/internal";
import { receiveRequest } from "./web.ts";
import { receiveOf, type RawReceiver } from "./raw-message.ts";

const HONO_HINT =
  "A middleware has read this body before it reached the webhook receiver. Move app.post(…, toHonoHandler(receive)) above the middleware, and do not call c.req.json() or a validator first.";

/**
 * Serves a receiver as a route of Hono, on any runtime.
 *
 * @example
 * ```ts
 * app.post("/hooks", toHonoHandler(receive));
 * ```
 */
export function toHonoHandler(
  receiver: RawReceiver,
): (context: { readonly req: { readonly raw: Request } }) => Promise<Response> {
  const receive = receiveOf(receiver);
  return async (context) => {
    const request = memberOf(memberOf(context, "req"), "raw");
    return await receiveRequest(receive, request as Request, HONO_HINT);
  };
}
