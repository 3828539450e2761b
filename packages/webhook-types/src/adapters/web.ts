import { readRequest, type RawReceiver } from "./raw-message.ts";

/** Answers a Request of the web; the hint says what to change where somebody has read its body. */
export async function answerRequest(
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
