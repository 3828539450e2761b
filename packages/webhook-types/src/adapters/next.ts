import { receiveRequest } from "./web.ts";
import { receiveOf, type RawReceiver } from "./raw-message.ts";

const NEXT_HINT =
  "This route has read the body before it reached the webhook receiver. Write export const POST = toNextHandler(receive), without code around it.";

/**
 * Serves a receiver as a route handler of Next.js, in `app/hooks/route.ts`.
 *
 * @example
 * ```ts
 * export const POST = toNextHandler(receive);
 * ```
 */
export function toNextHandler(receiver: RawReceiver): (request: Request) => Promise<Response> {
  const receive = receiveOf(receiver);
  return (request) => receiveRequest(receive, request, NEXT_HINT);
}
