import { stat } from "node:fs/promises";
import {
  CallError,
  isApiError,
  readHttpDate,
  STATUS,
  withResponse,
} from "@fieldmesh/http/internal";
import { CommandError, isSharedFile } from "@fieldmesh/sandbox/internal";
import manifest from "../../package.json" with { type: "json" };
import { keyName, services, urlName } from "../clients/clients.ts";
import type { Run } from "../command.ts";
import type { Clients, Context } from "../context.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { inWordsOfAShell } from "../shell-words.ts";
import { configFile } from "./profiles.ts";

/** One line of the report. */
interface Check {
  readonly check: string;
  readonly result: "ok" | "warning" | "failed" | "skipped";
  /** What was called, without the key. */
  readonly address?: string;
  /** What sets the address and the key: a profile, a variable, the sandbox or an option. */
  readonly source?: string;
  /** What was tested and found. If the check failed, what to do. */
  readonly detail: string;
}

/** What the test of a service has found: about its address, and perhaps about its key and its clock. */
type Tested = readonly [address: Check, ...others: Check[]];

/** A service that is checked. */
interface Checked {
  readonly service: keyof Clients;
  readonly address: string | undefined;
  readonly sources: readonly string[];
}

/** Far below the 5 minutes by which the clocks of a sender and a receiver may differ. In milliseconds. */
const MAX_SKEW = 60_000;
const SECOND = 1_000;

/** The request that a check sends. It changes nothing. */
const TESTS: Readonly<Record<keyof Clients, string>> = {
  console: "GET /api/v1/organization",
  ledger: "GET /v1/blocks/height",
  mapper: "GET /",
  mobile: "GET /v1/reference/event_types",
};

/** Checks addresses, keys, the clock and versions. Exits with 1 where a check failed. */
export const run: Run = async (context) => {
  const version = `fieldmesh ${manifest.version}, Node ${process.versions.node}, ${process.platform}`;
  const checks: Check[] = [
    { check: "versions", result: "ok", detail: version },
    await checkConfig(context.env),
  ];
  for (const service of Object.keys(services) as (keyof Clients)[])
    checks.push(...(await checkService(service, context)));
  await context.output.records(checks, ["check", "result", "address", "source", "detail"], {
    wrap: true,
  });
  const failed = checks.filter(({ result }) => result === "failed").length;
  if (failed > 0)
    throw new CliError(`${failed} of ${checks.length} checks failed.`, exitCodes.failed);
};

async function checkConfig(env: Context["env"]): Promise<Check> {
  const check = "config file";
  const file = await configFile(env);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return { check, result: "skipped", detail: `${file} does not exist` };
  if (await isSharedFile(file))
    return { check, result: "failed", detail: `other users can open ${file}: run chmod 600 on it` };
  return { check, result: "ok", detail: file };
}

async function checkService(service: keyof Clients, context: Context): Promise<readonly Check[]> {
  const started = Date.now();
  const sources = await context.sources(service);
  const address = await context.address(service).catch(() => undefined);
  const checked: Checked = { service, address, sources };
  const [first, ...others] = await testService(checked, context, started);
  return [first, ...overrides(checked, context.env), ...others];
}

/** Warns of what is set and not used: it may be what the user expects. */
function overrides({ service, sources }: Checked, env: Context["env"]): Check[] {
  const [used, ...others] = sources;
  // The key of the environment belongs to the address of the environment.
  const isKeyUnused =
    env[keyName(service)] && services[service].hasKey && used !== urlName(service);
  const unused = [
    ...others,
    ...(isKeyUnused && !others.includes(urlName(service)) ? [keyName(service)] : []),
  ];
  if (used === undefined || unused.length === 0) return [];
  const detail = `${used} overrides ${new Intl.ListFormat("en").format(unused)}`;
  return [{ check: `${service} source`, result: "warning", detail }];
}

async function testService(checked: Checked, context: Context, started: number): Promise<Tested> {
  try {
    const date = await call(checked.service, context);
    return [...reached(checked, true), ...checkClock(checked.service, date, started)];
  } catch (error) {
    return describeError(checked, error, started, context);
  }
}

/** Sends a request that changes nothing, and returns the time of the service. */
async function call(service: keyof Clients, context: Context): Promise<string | undefined> {
  const options = { signal: context.signal, retry: false } as const;
  if (service === "console")
    return await dateOf((await context.client(service)).organization.list(options));
  if (service === "ledger")
    return await dateOf((await context.client(service)).blocks.height({}, options));
  if (service === "mobile")
    return await dateOf((await context.client(service)).eventTypes.list(options));
  // It has no method that only reads. Any response shows that the service is there.
  const client = await context.client(service);
  return await dateOf(client.request({ method: "GET", path: "/" }, options));
}

async function dateOf(sent: Promise<unknown>): Promise<string | undefined> {
  return (await withResponse(sent)).headers.get("date") ?? undefined;
}

function reached(checked: Checked, isAccepted: boolean): Tested {
  const { service } = checked;
  const address = addressCheck(checked, "ok", `responds to ${TESTS[service]}`);
  if (!services[service].hasKey) return [address];
  const key = { check: `${service} key`, source: sourceOf(checked) };
  if (isAccepted) return [address, { ...key, result: "ok", detail: "is accepted" }];
  const detail = `is not accepted: correct ${settingOf(checked, "key")}`;
  return [address, { ...key, result: "failed", detail }];
}

function addressCheck(checked: Checked, result: Check["result"], detail: string): Check {
  const { service, address } = checked;
  return {
    check: `${service} address`,
    result,
    detail,
    ...(address !== undefined && { address }),
    source: sourceOf(checked),
  };
}

function sourceOf({ sources: [used = "none"] }: Checked): string {
  return used;
}

function checkClock(service: keyof Clients, date: string | undefined, started: number): Check[] {
  const time = readHttpDate(date);
  if (time === undefined) return [];
  const check = `${service} clock`;
  const skew = Math.max(started - time, time - Date.now(), 0);
  if (skew <= MAX_SKEW) return [{ check, result: "ok", detail: "agrees with this machine" }];
  const seconds = Math.round(skew / SECOND);
  const detail = `differs from this machine by ${seconds} s: synchronize the clock of this machine with NTP`;
  return [{ check, result: "failed", detail }];
}

/** Says what holds the address or the key that is used. */
function settingOf({ service, sources }: Checked, part: "address" | "key"): string {
  const [used = urlName(service)] = sources;
  const [, profile] = /^profile (\S+)/.exec(used) ?? [];
  if (profile !== undefined)
    return `the ${part} with "fieldmesh profile set ${profile} ${service}"`;
  return part === "key" && used === urlName(service) ? keyName(service) : used;
}

function describeError(
  checked: Checked,
  error: unknown,
  started: number,
  { signal }: Context,
): Tested {
  const { service } = checked;
  signal.throwIfAborted();
  if (error instanceof CommandError) return [withoutClient(checked, error)];
  if (isApiError(error)) {
    const { status, headers } = error;
    const clock = checkClock(service, headers["date"], started);
    if (status === STATUS.unauthorized || status === STATUS.forbidden)
      return [...reached(checked, false), ...clock];
    if (service === "mapper" && status < STATUS.internalError)
      return [...reached(checked, true), ...clock];
    const detail = `responds with ${status} to ${TESTS[service]}: correct ${settingOf(checked, "address")}: check its path`;
    return [addressCheck(checked, "failed", detail), ...clock];
  }
  if (!(error instanceof CallError)) throw error;
  // The message names the request.
  const detail = `${inWordsOfAShell(error.message)} Correct ${settingOf(checked, "address")}.`;
  return [addressCheck(checked, "failed", detail)];
}

/** Not every user has every service. */
function withoutClient(checked: Checked, { message }: CommandError): Check {
  const detail = message.replace(/^The address of .+ is missing/, "none");
  return addressCheck(checked, detail === message ? "failed" : "skipped", detail);
}
