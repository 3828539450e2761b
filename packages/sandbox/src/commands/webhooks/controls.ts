import { STATUS } from "@fieldmesh/http/internal";
import { type AnyRecord, isRecord, stringifyJson } from "@fieldmesh/core/internal";
import type { DeliveryRecord } from "../../engine/webhooks/delivery.ts";
import { type CommandContext, type CommandInput, textOf } from "../command.ts";
import { UsageError } from "../command-error.ts";
import { jsonOrUndefined } from "../read-stream.ts";
import { SANDBOX_VARIABLE } from "../sandbox-port.ts";
import { printable } from "./describe-delivery.ts";
import { namedSandbox, readAddress, type SandboxAddress, startedLast } from "./sandbox-address.ts";
import { sendRequest } from "./send-request.ts";

/** Controls the webhooks of a running sandbox. */
export interface Controls {
  readonly origin: string;
  /** Sends a request to a path such as `/webhooks/events`, and returns the JSON of the response. Ctrl-C ends it, unless it has its own signal. */
  readonly call: (
    method: "GET" | "POST" | "DELETE",
    path: string,
    options?: { readonly body?: object; readonly signal?: AbortSignal },
  ) => Promise<unknown>;
}

/** The longest response is the list of events. */
const MOST_BYTES = 64 * 2 ** 20;

/** Finds the sandbox of a command, and prints its address. */
export function findSandbox(
  { env, output, signal }: CommandContext,
  input: CommandInput,
): Controls {
  const given = textOf(input, "sandboxUrl");
  const found =
    given === undefined
      ? (namedSandbox(env) ?? startedLast())
      : readAddress(given, "--sandbox-url");
  if (found === undefined)
    throw new UsageError(
      "No sandbox is running. Start one, or set its address with --sandbox-url.",
    );
  output.note(`Sandbox  ${found.origin}`);
  return {
    origin: found.origin,
    call: (method, path, options) => callSandbox(found, { method, path, signal, ...options }),
  };
}

/** Sends a request to the controls of a sandbox, and returns the JSON of the response. Never calls another sandbox instead. */
export async function callSandbox(
  { origin, token, named }: SandboxAddress,
  asked: { method: string; path: string; body?: object; signal: AbortSignal },
): Promise<unknown> {
  const { method, path, body, signal } = asked;
  const request = new Request(`${origin}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: stringifyJson(body) }),
  });
  const { response, text } = await sendRequest(request, {
    signal,
    mostBytes: MOST_BYTES,
    unless:
      named === SANDBOX_VARIABLE
        ? `, which ${SANDBOX_VARIABLE} names. Start that sandbox, or unset ${SANDBOX_VARIABLE}.`
        : ". Is the sandbox running?",
  });
  if (response.status === 204) return undefined;
  if (response.ok) {
    const value = jsonOrUndefined(text);
    if (value === undefined) throw notASandbox();
    return value;
  }
  if (response.status === STATUS.unauthorized)
    throw new UsageError(
      `${origin} requires the token of the sandbox. Use the whole address that it printed: ${named === SANDBOX_VARIABLE ? `${SANDBOX_VARIABLE}=` : "--sandbox-url "}'${origin}/#token=…'.`,
    );
  // Another program may now use the port of a former sandbox.
  throw new UsageError(printable(text) || `${origin} responded ${response.status}.`);
}

/** Returns the error for another program at the address of a sandbox. Its response is not printed. */
export function notASandbox(): UsageError {
  return new UsageError(
    "The program at this address is not a sandbox. Check the address that the sandbox printed.",
  );
}

/** Reads the deliveries of a sandbox. Throws if another program responded. */
export function readDeliveries(value: unknown): readonly DeliveryRecord[] {
  return readList(value).map(readDelivery);
}

export function readDelivery(value: unknown): DeliveryRecord {
  if (!isRecord(value)) throw notASandbox();
  // Each attempt is printed.
  readList(value["attempts"]);
  return value as unknown as DeliveryRecord;
}

export function readList(value: unknown): readonly AnyRecord[] {
  if (Array.isArray(value) && value.every((each) => isRecord(each))) return value;
  throw notASandbox();
}
