import type { Call } from "../serve/call.ts";

export type Breakable = Pick<Call, "connection" | "broken">;

/** Breaks the connection before a response. In the same process there is none, so it throws the same error as fetch. */
export function breakConnection(call: Breakable): Response {
  call.broken = true;
  if (call.connection.destroy === undefined) throw fetchFailed("fetch failed");
  call.connection.destroy();
  return new Response();
}

/** Returns a body that ends in a broken connection once its bytes have been read. */
export function breakWhileReading(call: Breakable, bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = bytes.length === 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (!sent) {
          sent = true;
          controller.enqueue(bytes);
        } else if (call.connection.destroy === undefined) {
          controller.error(fetchFailed("terminated"));
        } else {
          call.connection.destroy();
        }
      },
    },
    { highWaterMark: 0 },
  );
}

/** Node's fetch puts the reason into `cause`. */
function fetchFailed(message: string): TypeError {
  return new TypeError(message, {
    cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
  });
}
