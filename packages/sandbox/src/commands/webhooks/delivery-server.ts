import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { printOnceAMinute, readBytes, readInTime } from "@fieldmesh/core/internal";
import {
  WebhookVerificationError,
  type VerificationReason,
  type Verifier,
} from "@fieldmesh/webhook-types";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { toNodeListener } from "../../server/node-listener.ts";
import { listenFailure } from "../command-error.ts";
import { forward } from "./send-request.ts";

type ParsedEvent = ReturnType<typeof parseEvent>;

/** The result of one delivery. It contains no header and no body. */
export interface Arrival {
  /** ISO 8601. */
  readonly at: string;
  /** The status that this server responded with: that of the receiver, if there is one. */
  readonly status: number;
  /** Milliseconds until the response. */
  readonly took: number;
  /** The event, if it was verified and parsed. */
  readonly event?: ParsedEvent;
  /** Why it was not forwarded. */
  readonly rejected?: Rejection | "not_an_event";
  /** How many others were rejected for this reason since the last report of one. */
  readonly more?: string;
}

/** Anyone can cause it, so it is reported once a minute. */
type Rejection = VerificationReason | keyof typeof UNREAD;

export interface DeliveryServerOptions {
  readonly port: number;
  readonly verify: Verifier;
  /** The receiver. Without one, every verified delivery is accepted. */
  readonly forwardTo: URL | undefined;
  /** Stores an event before it is forwarded. If it throws, the response is 503, so that the sender retries, and the server ends. */
  readonly store?: (event: ParsedEvent) => Promise<void>;
  readonly report: (arrival: Arrival) => Promise<void>;
}

const HOST = "127.0.0.1";
/** The limit of a receiver. */
const MOST_BYTES = 2 ** 20;
const ACCEPTED = 200;
const WRONG = { METHOD: 405, NOT_VERIFIED: 401, NOT_STORED: 503 } as const;
const UNREAD = { broken_off: 400, too_slow: 408, too_large: 413 } as const;

/** Serves on 127.0.0.1: verifies, stores and forwards deliveries, and responds with the status and the body of the receiver. */
export async function serveDeliveries(options: DeliveryServerOptions) {
  const failed = Promise.withResolvers<never>();
  // Otherwise a rejection without a waiting caller would end the process.
  failed.promise.catch(() => {});
  const report = (arrival: Arrival): Promise<void> =>
    options.report(arrival).catch((error: unknown) => failed.reject(error));
  const reportRejected = printOnceAMinute(
    (arrival, more) =>
      void report({ ...(arrival as Arrival), ...(typeof more === "string" && { more }) }),
  );
  const handle = async (request: Request): Promise<Response> => {
    if (request.method !== "POST") return new Response(null, { status: WRONG.METHOD });
    const began = performance.now();
    const { isFatal, response, ...result } = await receive(request, options);
    const took = Math.round(performance.now() - began);
    const arrival = { at: new Date().toISOString(), took, ...result };
    const { status, rejected = "not_an_event" } = result;
    if (isFatal !== undefined) failed.reject(isFatal);
    else if (rejected === "not_an_event") await report(arrival);
    else reportRejected(rejected, arrival);
    if (response !== undefined) return response;
    // The rest of a late body is not read.
    const headers = { ...(rejected === "too_slow" && { connection: "close" }) };
    return new Response(null, { status, headers });
  };
  const onError = (error: unknown) => failed.reject(error);
  const server = createServer(toNodeListener(handle, { onError }));
  const port = await new Promise<number>((resolve, reject) => {
    server.once("error", (error) => reject(listenFailure(error) ?? error));
    server.listen(options.port, HOST, () => resolve((server.address() as AddressInfo).port));
  });
  return {
    origin: `http://${HOST}:${port}`,
    /** Resolves when the signal aborts. Rejects if a delivery could not be stored or reported. */
    async until(signal: AbortSignal): Promise<void> {
      if (!signal.aborted) await Promise.race([once(signal, "abort"), failed.promise]);
    },
    close: () => end(server),
  };
}

/** Waits a short time for deliveries in progress. Without a response, the sender would retry those that were handled. */
async function end(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const timer = setInterval(() => server.closeIdleConnections(), BETWEEN_LOOKS);
  await Promise.race([closed, sleep(LONGEST_GOODBYE, undefined, { ref: false })]);
  clearInterval(timer);
  server.closeAllConnections();
}

const BETWEEN_LOOKS = 20;
const LONGEST_GOODBYE = 2_000;

type Received = Omit<Arrival, "at" | "took"> & {
  readonly isFatal?: unknown;
  /** That of the receiver. */
  readonly response?: Response | undefined;
};

async function receive(
  request: Request,
  { verify, store, forwardTo }: DeliveryServerOptions,
): Promise<Received> {
  const body = await readBody(request);
  if (typeof body === "string") return { status: UNREAD[body], rejected: body };
  try {
    await verify({ body, headers: request.headers });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { status: WRONG.NOT_VERIFIED, rejected: error.reason };
  }
  const event = parse(body);
  try {
    if (event !== undefined) await store?.(event);
  } catch (error) {
    return { status: WRONG.NOT_STORED, isFatal: error };
  }
  const response = forwardTo === undefined ? undefined : await forward(request, body, forwardTo);
  const result = { status: response?.status ?? ACCEPTED, response };
  return event === undefined ? { ...result, rejected: "not_an_event" } : { ...result, event };
}

/** Reads a body under the limits of a receiver, or returns why it cannot. */
async function readBody(request: Request): Promise<Uint8Array | keyof typeof UNREAD> {
  if (Number(request.headers.get("content-length")) > MOST_BYTES) return "too_large";
  try {
    const body = await readInTime((late) => readBytes(request.body, MOST_BYTES, late));
    return body === null ? "too_slow" : (body ?? "too_large");
  } catch {
    return "broken_off";
  }
}

/** Parses an event, also if its payload differs from its type. Its codes are Secrets. */
function parse(body: Uint8Array): ParsedEvent | undefined {
  try {
    return parseEvent(body, { validation: "off" });
  } catch {
    return undefined;
  }
}
