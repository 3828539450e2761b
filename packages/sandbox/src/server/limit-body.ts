import { readBytes } from "@fieldmesh/core/internal";
import { textResponse } from "../engine/serve/responses.ts";
import type { NodeHandler } from "./node-listener.ts";

/** Far more than a bulk request has. The log keeps bodies, so that larger ones would fill the memory. */
const MOST_BYTES = 4 * 2 ** 20;

/** Rejects a body that is too large with 413, except that of a snapshot. */
export function limitBody(handler: NodeHandler): NodeHandler {
  return async (request, connection) => {
    if (request.body === null || isSnapshot(request)) return handler(request, connection);
    const length = request.headers.get("content-length");
    if (length !== null)
      return Number(length) > MOST_BYTES ? tooLarge() : handler(request, connection);
    // A body in chunks tells its length only at its end.
    const body = await readBytes(request.body, MOST_BYTES);
    if (body === undefined) return tooLarge();
    const { method } = request;
    return handler(
      new Request(request, { method, body: body as Uint8Array<ArrayBuffer> }),
      connection,
    );
  };
}

function isSnapshot({ url }: Request): boolean {
  return new URL(url).pathname.endsWith("/sandbox/restore");
}

function tooLarge(): Response {
  return textResponse(`The sandbox accepts bodies of at most ${MOST_BYTES} bytes`, { status: 413 });
}
