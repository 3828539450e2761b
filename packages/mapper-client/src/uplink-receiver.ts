import {
  aFunction,
  anything,
  notify,
  options,
  printOnceAMinute,
  type Schema,
} from "@fieldmesh/core/internal";
import { parseConsoleUplink, type ParsedUplink } from "./parse-console-uplink.ts";
import {
  checkRequest,
  createReader,
  integrationTable,
  type IntegrationOptions,
} from "./read-integration.ts";
import { UplinkParseError } from "./uplink-parse-error.ts";

/** Options of {@link createUplinkReceiver}. */
export interface UplinkReceiverOptions<Payload = unknown> extends IntegrationOptions {
  /** A schema of `decoded.payload`, from any library that follows Standard Schema. @default none: the payload is `unknown` */
  decoded?: Schema<Payload> | undefined;
  /** Receives each uplink. If it throws, the response is 500 and `onError` receives the error. */
  handler: (uplink: ParsedUplink<Payload>) => unknown;
  /**
   * Receives the errors of the handler, and, unless `authorization` is `"none"`, why a body was not a standard uplink. Whatever else a
   * sender causes is counted, and printed once a minute.
   *
   * @default console.error, once a minute
   */
  onError?: ((error: unknown) => void) | undefined;
}

// Not at the top of the module: a bundler keeps a table that spreads another one.
const optionsReader = () =>
  options<UplinkReceiverOptions>("createUplinkReceiver", {
    ...integrationTable,
    decoded: anything,
    handler: { required: aFunction },
    onError: aFunction,
  });

/**
 * Creates a receiver for the console's HTTP integration: a function from Request to Response, for a back-end that needs the
 * uplinks themselves, without the map.
 *
 * It responds with 200 after the handler has finished, 401 without the configured header, 413 to a body beyond the limit, 408 to one
 * that does not arrive within 30 s, 400 to one that is not a standard uplink, and 500 if the handler throws. The console signs
 * nothing: serve it over TLS, and configure a header with a secret value in the integration. Throws a TypeError for invalid options.
 *
 * @example
 * ```ts
 * const receive = createUplinkReceiver({
 *   authorization: { name: "authorization", value: process.env.INTEGRATION_SECRET! },
 *   decoded: z.object({ level: z.number() }),
 *   handler: (uplink) => console.log(uplink.dev_eui, uplink.decoded.payload.level),
 * });
 * ```
 */
export function createUplinkReceiver<Payload = unknown>(
  given: UplinkReceiverOptions<Payload>,
): (request: Request) => Promise<Response> {
  const settings = optionsReader()<UplinkReceiverOptions<Payload>>(given);
  const { authorization, decoded, handler, onError = createPrinter() } = settings;
  const { read, reject } = createReader("An uplink receiver", settings);
  return async (request) => {
    checkRequest(request);
    const body = await read(request);
    if (body instanceof Response) return body;
    try {
      await handler(await parseConsoleUplink(body, { decoded }));
      return new Response("Success");
    } catch (error) {
      const isRejected = error instanceof UplinkParseError;
      // Without a header, anyone can send such a body.
      if (!isRejected || authorization !== "none")
        notify("onError", onError, (call) => call(error));
      return isRejected
        ? reject(400, error.message)
        : new Response("The handler failed.", { status: 500 });
    }
  };
}

/** Prints the errors of a handler. A body that is rejected has a line already. */
function createPrinter(): (error: unknown) => void {
  // oxlint-disable-next-line no-console -- a hidden failure of a handler is worse than a line on stderr
  const print = printOnceAMinute((...values) => console.error(...values));
  return (error) => {
    if (!(error instanceof UplinkParseError)) print("handler", error);
  };
}
