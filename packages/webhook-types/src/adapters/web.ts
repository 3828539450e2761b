import {
  describeValue,
  hasMethod,
  isRecord,
  mistake,
  requires,
  readBytes,
  readInput,
} from "@fieldmesh/core/internal";
import type { RawReceiver } from "./raw-message.ts";

const REQUEST_HINT =
  "The body of this Request was read before it reached the receiver. Pass the Request to the receiver first, and do not read it yourself.";

/** Passes a web Request to a receiver. The hint says what to change if the body was already read. */
export async function receiveRequest(
  receive: RawReceiver["receive"],
  request: Request,
  hint = REQUEST_HINT,
): Promise<Response> {
  const message = readInput("The request", () => {
    if (!isRecord(request)) throw requires("The handler", "a Request", request);
    const { method, url, headers, signal } = request as Request;
    return { method, url, headers, signal };
  });
  const { status, headers, body } = await receive({
    ...message,
    body: (limit, late) => {
      if (request.bodyUsed || request.body?.locked === true) throw mistake(hint);
      return readBytes(request.body, limit, late);
    },
  });
  return new Response(body, { status, headers });
}

/** Returns the function from Request to Response of a receiver. */
export function respondWith(
  receive: RawReceiver["receive"],
): (request: Request) => Promise<Response> {
  return async (request) => {
    const headers = readInput("The request", () => request?.headers);
    if (!hasMethod(headers, "get"))
      throw mistake(
        `A receiver requires a Request, not ${describeValue(request)}. Use an adapter: createServer(toNodeHandler(receive)), or toExpressHandler(receive) for Express.`,
      );
    return receiveRequest(receive, request);
  };
}
