import {
  describeValue,
  equalText,
  findSettingMistake,
  isRecord,
  readBytes,
  guardInput,
} from "@fieldmesh/core";

/** The header that proves that a delivery comes from the console's integration; configure both with the same value. */
export interface IntegrationHeader {
  /** The name of the header, in any case. */
  readonly name: string;
  /** Its value: a secret. */
  readonly value: string;
}

/** What receivers of the console's HTTP integration have in common. */
export interface IntegrationOptions {
  /**
   * A header with a secret value, which you also configure in the console's integration: the console signs nothing, so
   * without it anyone who finds the address can deliver. `"none"` accepts everyone on purpose.
   */
  authorization: IntegrationHeader | "none";
  /** The most bytes of a body. @default 262_144 - a standard uplink has about two thousand */
  maxBytes?: number | undefined;
}

const DEFAULT_MAX_BYTES = 256 * 1024;

/** Checks the options, once; throws a TypeError that shows no secret. */
export function checkIntegrationOptions(options: IntegrationOptions): void {
  if (!isRecord(options))
    throw new TypeError(`The options are ${describeValue(options)}: give { authorization, … }.`);
  const { authorization, maxBytes = 1 } = options as unknown as IntegrationOptions;
  if (authorization === undefined)
    throw new TypeError(
      'authorization is missing: give the header that the integration sends, or "none" to take everybody.',
    );
  if (authorization !== "none") {
    if (!isRecord(authorization))
      throw new TypeError(
        `authorization must be { name, value } or "none", and not ${describeValue(authorization)}.`,
      );
    if (typeof authorization.name !== "string" || !/^[\w!#$%&'*+.^`|~-]+$/.test(authorization.name))
      throw new TypeError("authorization.name must be the name of a header.");
    if (typeof authorization.value !== "string" || authorization.value === "")
      throw new TypeError("authorization.value must be a non-empty string.");
    const mistake = findSettingMistake(authorization.value);
    if (mistake !== undefined) throw new TypeError(`authorization.value ${mistake}`);
    if (!/^[^\s\0]([^\r\n\0]*[^\s\0])?$/.test(authorization.value))
      throw new TypeError(
        "authorization.value has a line break, or a blank at an end, which no header can have: trim it.",
      );
  }
  if (typeof maxBytes !== "number" || !(maxBytes > 0))
    throw new TypeError("maxBytes must be more than 0.");
}

/** Throws a TypeError for what is no Request, such as Node's own one. */
export function checkRequest(request: Request): void {
  const get = guardInput(
    "The request",
    request,
    () => (request as Partial<Request> | undefined)?.headers?.get,
  );
  if (typeof get === "function") return;
  throw new TypeError(
    `This receiver accepts a Request, and not ${describeValue(request)}. On node:http, serve it with getRequestListener of @hono/node-server.`,
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
    return new Response("Not the header that was agreed.", { status: 401 });
  const announced = Number(request.headers.get("content-length") ?? 0);
  const body = announced > maxBytes ? undefined : await readBytes(request.body, maxBytes);
  return body ?? new Response("Too large.", { status: 413 });
}
