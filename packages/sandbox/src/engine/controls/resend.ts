import { mistake } from "@fieldmesh/core/internal";
import type { Feed } from "../services/feed.ts";
import type { LoggedRequest } from "../log/logged-request.ts";
import type { Handler } from "../serve/serve.ts";

/** Sends a logged request again, and returns its new number. Throws a TypeError if the log has forgotten part of the body. */
export async function resend(
  { number: before, method, url, headers, body, bodyLength }: LoggedRequest,
  { feed, handler }: { readonly feed: Feed; readonly handler: Handler },
): Promise<number | undefined> {
  if (body?.length !== bodyLength)
    throw mistake(
      `The log has not kept the whole body of request ${before}, so it cannot send it again. Send it from your own program.`,
    );
  let number: number | undefined;
  const stop = feed.watch((activity) => {
    if (activity.kind !== "request" || number !== undefined) return;
    const { request } = activity;
    if (request.method === method && request.url === url && request.body === body)
      ({ number } = request);
  });
  const isBodyless = method === "GET" || method === "HEAD";
  try {
    await handler(
      // The handlers read the path alone.
      new Request(`http://sandbox.invalid${url}`, {
        method,
        headers,
        ...(!isBodyless && { body }),
      }),
    );
  } catch {
    // A fault has broken the connection, which the log shows.
  } finally {
    stop();
  }
  return number;
}
