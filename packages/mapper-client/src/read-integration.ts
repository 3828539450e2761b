import {
  describeValue,
  equalText,
  findSettingMistake,
  isRecord,
  readBytes,
  guardInput,
} from "@fieldmesh/core/internal";

/** The header that proves that a delivery comes from the console's integration. Configure the same value on both sides. */
export interface IntegrationHeader {
  /** The name of the header, in any case. */
  readonly name: string;
  /** The value: a secret. */
  readonly value: string;
}

/** The options of all receivers for the console's HTTP integration. */
export interface IntegrationOptions {
  /**
   * A header with a secret value, which you also configure in the console's integration. The console signs nothing, so without
   * the header, anyone who finds the address can deliver. `"none"` accepts everyone.
   */
  authorization: IntegrationHeader | "none";
  /** The largest body, in bytes. @default 262_144 - a standard uplink has about two thousand */
  maxBytes?: number | undefined;
}

const DEFAULT_MAX_BYTES = 256 * 1024;

/** Checks the options. Throws a TypeError that shows no secret. */
export function checkIntegrationOptions(options: IntegrationOptions): void {
  if (!isRecord(options))
    throw new TypeError(`The options are ${describeValue(options)}: pass { authorization, … }.`);
  const { authorization, maxBytes = 1 } = options as unknown as IntegrationOptions;
  if (authorization === undefined)
    throw new TypeError(
      'authorization is missing: pass the header that the integration sends, or "none" to accept everyone.',
    );
  if (authorization !== "none") {
    if (!isRecord(authorization))
      throw new TypeError(
        `authorization must be { name, value } or "none", not ${describeValue(authorization)}.`,
      );
    if (typeof authorization.name !== "string" || !/^[\w!#$%&'*+.^`|~-]+$/.test(authorization.name))
      throw new TypeError("authorization.name must be the name of a header.");
    if (typeof authorization.value !== "string" || authorization.value === "")
      throw new TypeError("authorization.value must be a non-empty string.");
    const mistake = findSettingMistake(authorization.value);
    if (mistake !== undefined) throw new TypeError(`authorization.value ${mistake}`);
    if (!/^[^\s\0]([^\r\n\0]*[^\s\0])?$/.test(authorization.value))
      throw new TypeError(
        "authorization.value has a line break, or begins or ends with a space, which headers do not allow: trim it.",
      );
  }
  if (typeof maxBytes !== "number" || !(maxBytes > 0))
    throw new TypeError("maxBytes must be more than 0.");
}

/** Throws a TypeError for anything but a Request, such as the request object of Node. */
export function checkRequest(request: Request): void {
  const get = guardInput(
    "The request",
    request,
    () => (request as Partial<Request> | undefined)?.headers?.get,
  );
  if (typeof get === "function") return;
  throw new TypeError(
    `This receiver requires a Request, not ${describeValue(request)}. On node:http, serve it with getRequestListener of @hono/node-server.`,
  );
}

/** Reads the body of a delivery, or returns the response that rejects it. */
export async function readDelivery(
  request: Request,
  { authorization, maxBytes = DEFAULT_MAX_BYTES }: IntegrationOptions,
): Promise<Uint8Array | Response> {
  if (request.method !== "POST")
    return new Response("Send a POST.", { status: 405, headers: { allow: "POST" } });
  if (
    authorization !== "none" &&
    !equalText(request.headers.get(authorization.name) ?? "", authorization.value)
  )
    return new Response("The authorization header is missing or wrong.", { status: 401 });
  const announced = Number(request.headers.get("content-length") ?? 0);
  const body = announced > maxBytes ? undefined : await readBytes(request.body, maxBytes);
  return body ?? new Response("Too large.", { status: 413 });
}
