import {
  aString,
  check,
  describeValue,
  equalText,
  findSettingMistake,
  hasMethod,
  isRecord,
  memberOf,
  mistake,
  mustBe,
  options,
  printOnceAMinute,
  readBytes,
  readInTime,
  type Clock,
  type OptionTable,
} from "@fieldmesh/core/internal";

/** The options of all receivers for the console's HTTP integration. */
export interface IntegrationOptions {
  /**
   * A header with a secret value, which you also configure in the console's integration. The console signs nothing, so without
   * the header, anyone who finds the address can deliver. `"none"` accepts everyone.
   */
  authorization:
    | {
        /** The name of the header, in any case. */
        readonly name: string;
        /** The value: a secret. */
        readonly value: string;
      }
    | "none";
  /** The largest body, in bytes. @default 262_144 - a standard uplink has about two thousand */
  maxBytes?: number | undefined;
}

const DEFAULT_MAX_BYTES = 256 * 1024;

/** The checks of {@link IntegrationOptions}. They show no secret. */
export const integrationTable: OptionTable<IntegrationOptions> = {
  authorization: { required: checkAuthorization },
  maxBytes: /* @__PURE__ */ check(
    "a number of bytes, 1 or more",
    (value) => typeof value === "number" && value > 0,
  ),
};

function checkAuthorization(given: unknown, name: string): IntegrationOptions["authorization"] {
  if (given === "none") return given;
  if (given === undefined)
    throw mistake(
      'authorization is missing: pass the header that the integration sends, or "none" to accept everyone.',
    );
  if (!isRecord(given)) throw mustBe(name, '{ name, value } or "none"', given);
  return readHeader(given, name);
}

const readHeader = /* @__PURE__ */ options<Exclude<IntegrationOptions["authorization"], "none">>(
  "authorization",
  {
    name: {
      required: /* @__PURE__ */ check(
        "the name of a header",
        (value) => typeof value === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
      ),
    },
    value: { required: checkHeaderValue },
  },
);

function checkHeaderValue(given: unknown, name: string): string {
  const value = aString(given, name);
  const problem = findSettingMistake(value);
  if (problem !== undefined) throw mistake(`${name} ${problem}`);
  if (/^[^\s\0]([^\r\n\0]*[^\s\0])?$/.test(value)) return value;
  throw mistake(
    `${name} has a line break, or begins or ends with a space, which headers do not allow: trim it.`,
  );
}

/** Throws a TypeError for anything but a Request, such as the request object of Node. */
export function checkRequest(request: Request): void {
  if (hasMethod(memberOf(request, "headers"), "get")) return;
  throw mistake(
    `This receiver requires a Request, not ${describeValue(request)}. On node:http, serve it with getRequestListener of @hono/node-server.`,
  );
}

/**
 * Creates the functions that read the body of a delivery, and that reject one. What a sender causes is counted and printed once a
 * minute.
 */
export function createReader(
  owner: string,
  { authorization, maxBytes = DEFAULT_MAX_BYTES }: IntegrationOptions,
  clock?: Clock,
) {
  // oxlint-disable-next-line no-console -- a wrong header in the integration would be silent otherwise
  const warn = printOnceAMinute((...values) => console.warn(...values), clock);

  function reject(status: number, message: string, headers?: Record<string, string>): Response {
    const why = `${owner} responded with ${status}: ${message}`;
    warn(String(status), `${why} This is printed once a minute.`);
    return new Response(message, { status, ...(headers && { headers }) });
  }

  async function read(request: Request): Promise<Uint8Array | Response> {
    if (request.method !== "POST") return reject(405, "Send a POST.", { allow: "POST" });
    if (
      authorization !== "none" &&
      !equalText(request.headers.get(authorization.name) ?? "", authorization.value)
    )
      return reject(401, "The authorization header is missing or wrong.");
    const announced = Number(request.headers.get("content-length") ?? 0);
    if (announced > maxBytes) return reject(413, "Too large.");
    if (request.bodyUsed)
      throw mistake("The body of this Request was read before. Pass the Request to it first.");
    try {
      const body = await readInTime((late) => readBytes(request.body, maxBytes, late));
      // The rest of a late body is not read, so the connection cannot be reused.
      if (body === null) return reject(408, "The body did not arrive in time.", CLOSE);
      return body ?? reject(413, "Too large.");
    } catch {
      return reject(400, "The body broke off.");
    }
  }

  return { read, reject };
}

const CLOSE = { connection: "close" };
