import { type AnyRecord, isRecord, parseJson, readBytes, stringifyJson } from "@fieldmesh/core";
import type { DeliveryRecord } from "../../engine/webhooks/delivery.ts";
import type { StoredEvent } from "../../engine/webhooks/event-copies.ts";
import { lastSandbox } from "../../server/last-sandbox.ts";
import type { CommandContext, CommandInput } from "../command.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { readLocalUrl, textOf } from "../read-input.ts";
import { LONGEST_WAIT } from "./post.ts";
import { printable } from "./printable.ts";

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

const UNAUTHORIZED = 401;
/** The longest response is the list of events. */
const MOST_BYTES = 64 * 2 ** 20;

/** Finds the sandbox of a command, and prints its address. */
export function findSandbox(
  { env, output, signal }: CommandContext,
  input: CommandInput,
): Controls {
  const given = textOf(input, "sandboxUrl") ?? env["FIELDMESH_SANDBOX"] ?? lastSandbox();
  if (given === undefined)
    throw new UsageError(
      "No sandbox is running. Start one, or set its address with --sandbox-url.",
    );
  const url = readLocalUrl("sandbox-url", given);
  const { origin } = url;
  const token = tokenOf(url) ?? tokenOf(lastSandbox(undefined, origin));
  output.note(`Sandbox  ${origin}`);
  return {
    origin,
    call: (method, path, options) => call(origin, { method, path, token, signal, ...options }),
  };
}

/** Returns the token in the address of a sandbox. */
function tokenOf(address: URL | string | undefined): string | undefined {
  if (address === undefined) return undefined;
  return /^#token=([\w-]+)$/.exec(new URL(address).hash)?.[1];
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly body?: object;
  readonly signal: AbortSignal;
}

async function call(
  origin: string,
  { method, path, token, body, signal }: Request,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(LONGEST_WAIT);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${origin}${path}`, {
      method,
      // The body may contain a code, so it must not reach another server.
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: stringifyJson(body) }),
    });
    text = new TextDecoder().decode(await readBytes(response.body, MOST_BYTES));
  } catch (error) {
    if (signal.aborted) throw error;
    throw new CommandError(
      timeout.aborted
        ? `No response from ${origin} within ${LONGEST_WAIT / 1_000} s.`
        : `Nothing responds at ${origin}. Is the sandbox running?`,
    );
  }
  if (response.ok) return response.status === 204 ? undefined : readJson(text);
  if (response.status === UNAUTHORIZED)
    throw new UsageError(
      `${origin} requires the token of the sandbox. Use the whole address that it printed: --sandbox-url '${origin}/#token=…'.`,
    );
  // Another program may now use the port of a former sandbox.
  throw new UsageError(printable(text) || `${origin} responded ${response.status}.`);
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw notASandbox();
  }
}

/** Returns the error for another program at the address of a sandbox. Its response is not printed. */
export function notASandbox(): UsageError {
  return new UsageError(
    "The program at this address is not a sandbox. Check the address that the sandbox printed.",
  );
}

/** Reads the deliveries of a sandbox. Throws if another program responded. */
export function readDeliveries(value: unknown): readonly DeliveryRecord[] {
  return readList(value) as unknown as readonly DeliveryRecord[];
}

/** Reads the events of a sandbox. Throws if another program responded. */
export function readEvents(value: unknown): readonly StoredEvent[] {
  return readList(value) as unknown as readonly StoredEvent[];
}

/** Reads a list of records. Throws if another program responded. */
export function readList(value: unknown): readonly AnyRecord[] {
  if (Array.isArray(value) && value.every((each) => isRecord(each))) return value;
  throw notASandbox();
}
