import { describeValue, guardInput, isRecord } from "@fieldmesh/core";
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
