import { isDate } from "@fieldmesh/core/internal";
import { type Clock, systemClock } from "@fieldmesh/core";
import { jsonResponse, textResponse } from "../serve/responses.ts";
import type { Layer, Call } from "../serve/call.ts";
import type { Fault, StatusFault, TruncateFault } from "../serve/fault.ts";
import type { ChooseFault } from "./fault-script.ts";

/** The layer that plays the faults which `choose` returns. */
export function playFaults(service: string, choose: ChooseFault, clock: Clock): Layer {
  return (next) => async (call) => {
    const fault = choose({ service, row: call.row, method: call.request.method });
    if (fault === undefined) return next(call);
    call.fault = fault;
    return playFault(fault, call, next, clock);
  };
}

export async function playFault<C extends Breakable>(
  fault: Fault,
  call: C,
  next: (call: C) => Promise<Response>,
  clock: Clock,
): Promise<Response> {
  switch (fault.kind) {
    case "reset":
      return breakConnection(call);
    case "stale":
      // The console plays it, because it has the earlier lists.
      return next(call);
    case "lost":
      await next(call);
      return breakConnection(call);
    case "status":
      if (fault.afterWork === true) await next(call);
      return statusResponse(fault);
    case "truncate":
      return truncated(fault, call, await next(call));
    case "garbage":
      return garbage(await next(call));
    case "delay": {
      const { ms, virtual, afterWork = false } = fault;
      const time = virtual === true ? clock : systemClock;
      if (!afterWork) await time.sleep(ms);
      const response = await next(call);
      if (afterWork) await time.sleep(ms);
      return response;
    }
  }
}

const TEXTS: Readonly<Record<number, string>> = {
  429: "Too many requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

function statusResponse(fault: StatusFault): Response {
  const { status, body = TEXTS[status] ?? "", contentType, retryAfter } = fault;
  const wait = isDate(retryAfter) ? retryAfter.toUTCString() : retryAfter;
  const headers = wait === undefined ? {} : { "retry-after": String(wait) };
  const type = contentType === undefined ? {} : { contentType: contentType || undefined };
  const init = { status, headers, ...type };
  return typeof body === "string" ? textResponse(body, init) : jsonResponse(body, init);
}

async function truncated(
  { bytes, clean = false }: TruncateFault,
  call: Breakable,
  response: Response,
): Promise<Response> {
  const whole = new Uint8Array(await response.arrayBuffer());
  const part = whole.slice(
    0,
    Math.min(bytes ?? Math.floor(whole.length / 2), Math.max(0, whole.length - 1)),
  );
  const { status, headers } = response;
  return new Response(clean ? part : breakWhileReading(call, part), { status, headers });
}

/** Neither a string nor JSON in any encoding. */
const GARBAGE = new Uint8Array([
  0x80, 0xff, 0x00, 0x7b, 0xfe, 0x22, 0xc0, 0x0d, 0x5b, 0xf5, 0x1b, 0x81,
]);

function garbage({ status, headers }: Response): Response {
  return new Response(GARBAGE, { status, headers });
}

type Breakable = Pick<Call, "connection" | "broken">;

/** Breaks the connection before a response. In the same process there is none, so it throws the same error as fetch. */
function breakConnection(call: Breakable): Response {
  call.broken = true;
  if (call.connection.destroy === undefined) throw fetchFailed("fetch failed");
  call.connection.destroy();
  return new Response();
}

/** Returns a body that ends in a broken connection once its bytes have been read. */
function breakWhileReading(call: Breakable, bytes: Uint8Array): ReadableStream<Uint8Array> {
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
