import { textResponse } from "../engine/responses.ts";
import type { NodeHandler } from "./node-listener.ts";

/** Far more than a bulk request has. The log keeps bodies, so that larger ones would fill the memory. */
const MOST_BYTES = 4 * 2 ** 20;

/** Rejects a body whose length is too large with 413, except that of a snapshot. A body without a length is not limited. */
export function limitBody(handler: NodeHandler): NodeHandler {
  return (request, connection) => {
    const length = Number(request.headers.get("content-length") ?? 0);
    const isSnapshot = new URL(request.url).pathname.endsWith("/sandbox/restore");
    return length > MOST_BYTES && !isSnapshot
      ? textResponse(`The sandbox accepts bodies of at most ${MOST_BYTES} bytes`, { status: 413 })
      : handler(request, connection);
  };
}
