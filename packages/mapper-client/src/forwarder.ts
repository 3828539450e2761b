import { checkInteger, recordOf, systemClock, type Clock } from "@fieldmesh/core";
import { isApiError, isCallError, type Problem } from "@fieldmesh/http";
import type { Mapper } from "./mapper.ts";
import { fromConsoleUplink, type BuildOptions, type MappingResult } from "./from-console-uplink.ts";
import { createGate } from "./gate.ts";
import { isMapperRejectedError } from "./mapper-rejected-error.ts";
import { readJson } from "./parse-console-uplink.ts";
import {
  checkIntegrationOptions,
  readDelivery,
  type IntegrationOptions,
} from "./read-integration.ts";
import type { UplinkSubmission } from "./submission.ts";
import { isUplinkParseError } from "./uplink-parse-error.ts";

/** What became of one uplink. */
export interface ForwardReport {
  /**
   * - `forwarded`: it is on the map.
   * - `left_out`: the map would not take it, see `problems`; nothing was sent.
   * - `rejected`: the map has refused it, see `problems`.
   * - `unknown`: it may be on the map. Submissions are not idempotent: sending it again is your choice.
   * - `not_sent`: the map was not reached, or has too much to do; the sender was asked to come again.
   */
  readonly outcome: "forwarded" | "left_out" | "rejected" | "unknown" | "not_sent";
  readonly dev_eui: string | undefined;
  /** What was put right to make it mappable. */
  readonly changes: readonly string[];
  readonly problems: readonly Problem[];
  /** The uplink as it was submitted, for sending it again; only where the outcome is `unknown`. */
  readonly uplink: UplinkSubmission | undefined;
}

/** Options of {@link createForwarder}. */
export interface ForwarderOptions extends IntegrationOptions, BuildOptions {
  client: Mapper;
  /** Makes a submission of a message. @default fromConsoleUplink */
  build?: ((message: unknown, options: BuildOptions) => MappingResult) | undefined;
  /** Submissions at a time. @default 4 */
  concurrency?: number | undefined;
  /** Submissions within a minute. @default 60 - what running deployments take from one address */
  perMinute?: number | undefined;
  /** Uplinks that may wait for their turn; for one more the sender is asked to come again. @default 100 */
  maxWaiting?: number | undefined;
  /** Is told what became of each uplink. */
  onReport?: ((report: ForwardReport) => void) | undefined;
  /** What tells the time and waits. @default the machine's clock */
  clock?: Clock | undefined;
}

/** A function from Request to Response, with what became of all uplinks so far. */
export interface Forwarder {
  (request: Request): Promise<Response>;
  /** How many there were of each outcome. */
  totals(): Readonly<Record<ForwardReport["outcome"], number>>;
}

const TOO_MANY_REQUESTS = 429;
const MINUTE = 60_000;
/** How often an uplink is tried for which the map had no time. */
const TURNS = 3;
const RETRY_AFTER = { "retry-after": "60" };
const STATUS = {
  forwarded: 200,
  left_out: 200,
  rejected: 200,
  unknown: 200,
  not_sent: 503,
} as const;

/**
 * Creates a forwarder: it takes the deliveries of the console's HTTP integration, submits what can be mapped, and reports
 * what was left out and why. **What it forwards is shown on a public map in real time.**
 *
 * It keeps to the map's rate limit. A delivery is answered when its outcome is known: 200, with the outcome, wherever the
 * same delivery must not or need not come again, and 503 where nothing was sent. Throws a TypeError for options that
 * cannot work.
 *
 * @example
 * ```ts
 * const forward = createForwarder({
 *   client: createMapperClient({ baseUrl: process.env.MAPPER_URL! }),
 *   authorization: { name: "authorization", value: process.env.INTEGRATION_SECRET! },
 *   onReport: ({ outcome, dev_eui, problems }) => console.log(outcome, dev_eui, problems),
 * });
 * ```
 */
export function createForwarder(options: ForwarderOptions): Forwarder {
  checkIntegrationOptions(options);
  const { client, fields, build = fromConsoleUplink, onReport, clock = systemClock } = options;
  const { concurrency = 4, perMinute = 60, maxWaiting = 100 } = options;
  for (const [name, value] of Object.entries({ concurrency, perMinute, maxWaiting }))
    checkInteger(name, value, 1);
  const gate = createGate({ concurrency, perMinute, clock });
  const counts = { forwarded: 0, left_out: 0, rejected: 0, unknown: 0, not_sent: 0 };

  async function forward(message: unknown): Promise<ForwardReport> {
    const { dev_eui: id, deviceInfo } = recordOf(message);
    const eui = id ?? recordOf(deviceInfo)["devEui"];
    const facts = { dev_eui: typeof eui === "string" ? eui : undefined, uplink: undefined };
    const built = build(message, { fields });
    if (!built.isMappable)
      return { ...facts, outcome: "left_out", changes: [], problems: built.problems };
    const { uplink, changes } = built;
    const sent = { ...facts, changes, problems: [] };
    if (gate.size >= concurrency + maxWaiting) return { ...sent, outcome: "not_sent" };
    for (let turn = 1; ; turn++) {
      try {
        await gate.run(() => client.ingest(uplink));
        return { ...sent, outcome: "forwarded" };
      } catch (error) {
        if (isMapperRejectedError(error)) {
          const problems = error.reasons.map((reason) => ({ path: "", message: reason }));
          return { ...sent, outcome: "rejected", problems };
        }
        if (!isCallError(error)) throw error;
        if (isApiError(error, TOO_MANY_REQUESTS) && turn < TURNS) {
          gate.pause(error.retryAt === undefined ? MINUTE : error.retryAt.getTime() - Date.now());
          continue;
        }
        if (error.outcome === "applied") return { ...sent, outcome: "forwarded" };
        if (error.outcome === "unknown") return { ...sent, outcome: "unknown", uplink };
        return { ...sent, outcome: "not_sent" };
      }
    }
  }

  const answer = async (request: Request): Promise<Response> => {
    const body = await readDelivery(request, options);
    if (body instanceof Response) return body;
    let message: unknown;
    try {
      message = readJson(body);
    } catch (error) {
      if (!isUplinkParseError(error)) throw error;
      return new Response(error.message, { status: 400 });
    }
    const report = await forward(message);
    counts[report.outcome]++;
    onReport?.(report);
    const { outcome, changes, problems } = report;
    const status = STATUS[outcome];
    return Response.json(
      { outcome, changes, problems },
      { status, headers: status === 200 ? {} : RETRY_AFTER },
    );
  };
  return Object.assign(answer, { totals: () => ({ ...counts }) });
}
