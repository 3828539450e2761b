import { readBytes } from "@fieldmesh/core/internal";
import { textResponse } from "../engine/serve/responses.ts";
import type { NodeHandler } from "./node-listener.ts";

/** Far more than a bulk request has. The log keeps bodies, so that larger ones would fill the memory. */
const MOST_BYTES = 4 * 2 ** 20;
/** A device takes about 200 bytes of a snapshot, so that a million of them fit. V8 reads no string of more than 512 MiB. */
const MOST_SNAPSHOT_BYTES = 256 * 2 ** 20;
/** The control that restores a snapshot, also of a fork. */
const RESTORE = /^\/(forks\/[^/]+\/)*sandbox\/restore$/;

/** Rejects a body that is too large with 413. A snapshot has a limit of its own. */
export function limitBody(handler: NodeHandler): NodeHandler {
  return async (request, connection) => {
    if (request.body === null) return handler(request, connection);
    const isSnapshot = RESTORE.test(new URL(request.url).pathname);
    const most = isSnapshot ? MOST_SNAPSHOT_BYTES : MOST_BYTES;
    const tooLarge = () =>
      textResponse(
        `The sandbox accepts ${isSnapshot ? "snapshots" : "bodies"} of at most ${most} bytes`,
        { status: 413 },
      );
    const length = request.headers.get("content-length");
    if (length !== null) return Number(length) > most ? tooLarge() : handler(request, connection);
    // A body in chunks tells its length only at its end.
    const body = await readBytes(request.body, most);
    if (body === undefined) return tooLarge();
    const { method } = request;
    return handler(
      new Request(request, { method, body: body as Uint8Array<ArrayBuffer> }),
      connection,
    );
  };
}
