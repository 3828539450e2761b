import {
  isLoopback,
  isRecord,
  nearest,
  parseJson,
  readBytes,
  stringifyJson,
} from "@fieldmesh/core";
import { eventTypes, signedRequest, type EventType } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { parseArgs } from "node:util";
import { UsageError } from "./run-options.ts";
import { lastSandbox } from "../server/last-sandbox.ts";

/** A command of the webhooks: `trigger` asks a running sandbox, `send` delivers by itself. */
export type WebhookCommand = TriggerCommand | SendCommand;

interface TriggerCommand {
  readonly trigger: string;
  readonly sandbox: URL;
  readonly overrides: object;
}

interface SendCommand {
  readonly send: EventType;
  readonly to: URL;
  readonly secret: string;
  readonly overrides: object;
}

/** Reads the arguments of `trigger` and `send`; returns `undefined` for any other command line. */
export function readWebhookCommand(
  [command, ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): WebhookCommand | undefined {
  if (command !== "trigger" && command !== "send") return undefined;
  const wanted = command === "trigger" ? ["sandbox", "data"] : ["to", "secret", "data"];
  const { values, type } = readValues(command, args, wanted);
  const overrides = readData(values.get("data"));
  if (command === "trigger") {
    const sandbox = values.get("sandbox") ?? env["FIELDMESH_SANDBOX"] ?? lastSandbox();
    if (sandbox === undefined)
      throw new UsageError(
        "no sandbox runs: start fieldmesh-sandbox, or say where with --sandbox.",
      );
    return { trigger: type, sandbox: readLocalUrl("sandbox", sandbox), overrides };
  }
  const secret = values.get("secret") ?? env["FIELDMESH_WEBHOOK_SECRET"];
  if (!secret)
    throw new UsageError(
      "--secret is missing; FIELDMESH_WEBHOOK_SECRET in the environment will do too.",
    );
  if (!isKnown(type)) {
    const meant = nearest(type, eventTypes);
    const advice = meant === undefined ? "sim.activated is one." : `Did you mean "${meant}"?`;
    throw new UsageError(`"${type}" is no event type. ${advice}`);
  }
  const to = readLocalUrl("to", values.get("to"));
  return { send: type, to, secret, overrides };
}

/** Runs a command; returns what to print, and whether the receiver accepted the event. */
export async function runWebhookCommand(
  command: WebhookCommand,
  within = LONGEST_WAIT,
): Promise<{ readonly text: string; readonly isAccepted: boolean }> {
  const signal = AbortSignal.timeout(within);
  try {
    return await ("trigger" in command ? trigger(command, signal) : send(command, signal));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`no response within ${within / 1_000} s.`, { cause: error });
  }
}

/** A receiver that takes longer makes its sender retry. */
const LONGEST_WAIT = 30_000;
/** Of a response no more is read: the longest is the list of a sandbox's endpoints. */
const MOST_BYTES = 2 ** 20;

/** The body as a string; empty where it is too long. */
async function readText({ body }: Response): Promise<string> {
  return new TextDecoder().decode(await readBytes(body, MOST_BYTES));
}

async function send(command: SendCommand, signal: AbortSignal) {
  const event = sampleEvent(command.send, {
    id: `evt_${crypto.randomUUID().replaceAll("-", "")}`,
    created_at: new Date().toISOString(),
    ...command.overrides,
  } as never);
  const { to: url, secret } = command;
  const request = await signedRequest(event, { url, secret });
  const response = await fetch(request, { redirect: "manual", signal });
  const outcome = OUTCOME.exec(await readText(response))?.[0] ?? "";
  const text = `${event.type}  ${event.id}  answered ${response.status} ${outcome}`.trimEnd();
  return { text, isAccepted: response.ok };
}

/** The outcomes of our receivers, such as `not_verified`. Other response bodies are not printed. */
const OUTCOME = /^[a-z_]{1,30}$/;

async function trigger({ trigger: type, sandbox, overrides }: TriggerCommand, signal: AbortSignal) {
  const response = await fetch(new URL("/webhooks/trigger", sandbox), {
    method: "POST",
    // What is sent may hold a code: nowhere else.
    redirect: "manual",
    signal,
    headers: { "content-type": "application/json" },
    body: stringifyJson({ ...overrides, type }),
  });
  const text = await readText(response);
  if (!response.ok)
    throw new UsageError(printable(text) || `the sandbox answered ${response.status}.`);
  const { event, deliveries } = readTriggered(text);
  const lines = deliveries.map(({ endpoint_id, status, attempts }) => {
    const [last] = attempts.slice(-1);
    return `  ${endpoint_id}  ${status}  ${last?.status ?? last?.outcome ?? "not sent yet"}`;
  });
  if (lines.length === 0) lines.push("  no webhook endpoint takes it");
  if (!isKnown(type)) lines.unshift("  a type that nobody knows, as new ones are at first");
  const isAccepted =
    deliveries.length > 0 && deliveries.every(({ status }) => status === "delivered");
  const shown = [`${event.type}  ${event.id}`, ...lines].map(printable);
  return { text: shown.join("\n"), isAccepted };
}

/** Another program may listen where a sandbox was: what it says is not printed. */
function readTriggered(text: string): Triggered {
  try {
    const value = parseJson(text);
    if (isRecord(value) && isRecord(value["event"]) && Array.isArray(value["deliveries"]))
      return value as unknown as Triggered;
  } catch {
    // The error below does not have the string.
  }
  throw new UsageError("what listens there is no sandbox: see the address that it printed.");
}

interface Triggered {
  readonly event: { readonly id: string; readonly type: string };
  readonly deliveries: readonly {
    readonly endpoint_id: string;
    readonly status: string;
    readonly attempts: readonly { readonly status?: number; readonly outcome: string }[];
  }[];
}

function readValues(command: string, args: readonly string[], wanted: readonly string[]) {
  const options = Object.fromEntries(wanted.map((name) => [name, { type: "string" } as const]));
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const values = new Map<string, string>();
  const types: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") types.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (!wanted.includes(name)) throw new UsageError(`unknown option ${rawName}; see --help.`);
    if (value === undefined) throw new UsageError(`${rawName} needs a value; see --help.`);
    values.set(name, value);
  }
  const [type, ...more] = types;
  if (type === undefined || more.length > 0)
    throw new UsageError(`${command} takes one event type, such as sim.activated.`);
  return { values, type };
}

function readLocalUrl(name: string, text: string | undefined): URL {
  if (text === undefined || !URL.canParse(text) || !/^https?:/.test(text))
    throw new UsageError(`--${name} takes an address such as http://127.0.0.1:4010.`);
  const url = new URL(text);
  if (isLoopback(url.hostname)) return url;
  throw new UsageError(`--${name} takes an address of this machine: 127.0.0.1 or localhost.`);
}

function readData(text: string | undefined): object {
  if (text === undefined) return {};
  try {
    const value = parseJson(text);
    if (isRecord(value)) return { data: value };
  } catch {
    // The error below does not have the string, because that may hold a code.
  }
  throw new UsageError(`--data takes a JSON object, such as '{"object":{"id":"sim_1"}}'.`);
}

/** Without what a terminal would obey, and short. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, "").slice(0, 300);
}

function isKnown(type: string): type is EventType {
  return (eventTypes as readonly string[]).includes(type);
}
