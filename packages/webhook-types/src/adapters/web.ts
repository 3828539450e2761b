import { describeValue, guardInput, hasMethod, isRecord } from "@fieldmesh/core";
import { readRequest, type RawReceiver } from "./raw-message.ts";

/** Passes a web Request to a receiver. The hint says what to change if the body was already read. */
export async function receiveRequest(
  receive: RawReceiver["receive"],
  request: Request,
  hint?: string,
): Promise<Response> {
  const message = guardInput("The request", request, () => {
    if (!isRecord(request))
      throw new TypeError(`The handler requires a Request, not ${describeValue(request)}.`);
    const { method, url, headers, signal } = request as Request;
    return { method, url, headers, signal };
  });
  const { status, headers, body } = await receive({
    ...message,
    body: (limit) => readRequest(request, limit, hint),
  });
  return new Response(body, { status, headers });
}

/** Returns the function from Request to Response of a receiver. */
export function respondWith(
  receive: RawReceiver["receive"],
): (request: Request) => Promise<Response> {
  return async (request) => {
    const headers = guardInput("The request", request, () => request?.headers);
    if (!hasMethod(headers, "get"))
      throw new TypeError(
        `A receiver requires a Request, not ${describeValue(request)}. Use an adapter: createServer(toNodeHandler(receive)), or toExpressHandler(receive) for Express.`,
      );
    return receiveRequest(receive, request);
  };
}
