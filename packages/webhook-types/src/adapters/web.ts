import { readRequest, type RawReceiver } from "./raw-message.ts";

/** Passes a web Request to a receiver. The hint says what to change if the body was read before. */
export async function receiveRequest(
  receive: RawReceiver["receive"],
  request: Request,
  hint?: string,
): Promise<Response> {
  const { status, headers, body } = await receive({
    method: request.method,
    headers: request.headers,
    body: (limit) => readRequest(request, limit, hint),
  });
  return new Response(body, { status, headers });
}
