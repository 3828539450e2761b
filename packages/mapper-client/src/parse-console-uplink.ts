import * as z from "@fieldmesh/core/internal/zod";
import {
  anything,
  firstProblems,
  type AnyRecord,
  isBytes,
  isOurs,
  isRecord,
  isTooDeep,
  JsonSyntaxError,
  MAX_PROBLEMS,
  options,
  parseJson,
  type Schema,
  TOO_DEEP,
  UNREADABLE,
} from "@fieldmesh/core/internal";
import {
  compiled,
  countRecords,
  decodeLeniently,
  hideNamed,
  isDrift,
  limited,
} from "@fieldmesh/core/internal/schema";
import { OWN_MESSAGES_ONLY, toProblems } from "@fieldmesh/http/internal";
import { ConsoleUplink } from "./console-uplink.ts";
import { decoderProblem } from "./decoder-error.ts";
import { formOf, formProblem } from "./message-forms.ts";
import { UplinkParseError } from "./uplink-parse-error.ts";

/** A standard uplink, whose decoded payload has the type of your schema. Without a schema, it is `unknown`. */
export type ParsedUplink<Payload> = unknown extends Payload
  ? ConsoleUplink
  : Omit<ConsoleUplink, "decoded"> & {
      decoded: { payload: Payload; status?: string | null | undefined };
    };

/** Options of {@link parseConsoleUplink}. */
export interface ParseUplinkOptions<Payload = unknown> {
  /** A schema of `decoded.payload`, from any library that follows Standard Schema. @default none: the payload is `unknown` */
  decoded?: Schema<Payload> | undefined;
}

/**
 * Parses the standard uplink that the console's HTTP integration delivers. Pass its body as a string or bytes, or already parsed.
 *
 * Undeclared fields are kept, and no integer is rounded. A field that the published spec does not state may have any form. Throws
 * an UplinkParseError for anything else.
 *
 * @example
 * ```ts
 * const uplink = await parseConsoleUplink(body, { decoded: z.object({ level: z.number() }) });
 * console.log(uplink.dev_eui, uplink.decoded.payload.level);
 * ```
 */
export async function parseConsoleUplink<Payload = unknown>(
  body: unknown,
  given?: ParseUplinkOptions<Payload>,
): Promise<ParsedUplink<Payload>> {
  const { decoded: schema } = readOptions<ParseUplinkOptions<Payload>>(given);
  const uplink = readUplink(body);
  const hidden = hideNamed(ConsoleUplink, uplink) as ConsoleUplink;
  // The type of the output depends on whether there is a schema.
  if (schema === undefined) return hidden as never;
  const { decoded } = uplink;
  const failed = decoderProblem(decoded);
  if (failed !== undefined)
    throw new UplinkParseError(
      [failed],
      `The uplink has no payload: decoded.error ${failed.message}.`,
    );
  const result = await schema["~standard"].validate(decoded?.payload);
  if (result.issues !== undefined) {
    // The messages of the user's schema may quote the payload.
    const issues = result.issues.slice(0, MAX_PROBLEMS + 1);
    const problems = toProblems(issues, decoded?.payload, ["decoded", "payload"], "hidden");
    throw new UplinkParseError(firstProblems(problems));
  }
  // What a schema of the user returns is not changed.
  return { ...hidden, decoded: { ...hidden.decoded, payload: result.value } } as never;
}

const readOptions = /* @__PURE__ */ options<ParseUplinkOptions>("parseConsoleUplink", {
  decoded: anything,
});

function readUplink(body: unknown): ConsoleUplink {
  try {
    const value = readJson(body);
    if (isRecord(value)) checkForm(value);
    void countRecords(1);
    const parsed = z.safeParse(compiled(limited(ConsoleUplink)), value, OWN_MESSAGES_ONLY);
    const errors = parsed.error?.issues.filter((issue) => !isDrift(ConsoleUplink, issue)) ?? [];
    if (errors.length > 0) throw new UplinkParseError(firstProblems(toProblems(errors, value)));
    // A value that only differs from a guess is returned as it was sent.
    return parsed.data ?? (decodeLeniently(ConsoleUplink, value) as ConsoleUplink);
  } catch (error) {
    if (isOurs(error)) throw error;
    throw new UplinkParseError([{ path: "", message: UNREADABLE }]);
  }
}

/** Throws for a message in a form that is known, and is not that of the console's uplink. */
function checkForm(message: AnyRecord): void {
  const form = formOf(message);
  if (form === "uplink of the console" || form === "unknown message") return;
  const { message: text } = formProblem(form, message) ?? {
    message: `is an ${form}, not an uplink of the console: only fromNetworkServer and the forwarder read it`,
  };
  throw new UplinkParseError([{ path: "", message: text }], `The message ${text}.`);
}

/** Parses a string or bytes as JSON. Returns any other value unchanged. */
export function readJson(body: unknown): unknown {
  if (typeof body !== "string" && !isBytes(body)) return body;
  const text = typeof body === "string" ? body : decode(body);
  try {
    const value = parseJson(text);
    if (!isTooDeep(value, text.length)) return value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new UplinkParseError([{ path: "", message: "the body is not JSON" }]);
  }
  throw new UplinkParseError([{ path: "", message: TOO_DEEP }]);
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new UplinkParseError([{ path: "", message: "the body is not UTF-8" }]);
  }
}
