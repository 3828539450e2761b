import {
  aFunction,
  anything,
  check,
  firstProblems,
  hasMethod,
  notify,
  options,
  steadyClock,
  wholeNumber,
  type Clock,
} from "@fieldmesh/core/internal";
import {
  LONGEST_PAUSE,
  CallError,
  InputError,
  isApiError,
  STATUS,
  type CallOptions,
  type Fence,
  type Problem,
} from "@fieldmesh/http/internal";
import type { Mapper } from "./mapper.ts";
import { buildTable, type BuildOptions } from "./build-position.ts";
import { fromConsoleUplink } from "./from-console-uplink.ts";
import type { MappingResult } from "./mapping-result.ts";
import type { MessageForm } from "./message-forms.ts";
import { euiOf } from "./other-network-servers.ts";
import { createGate } from "./gate.ts";
import { MapperRejectedError } from "./mapper-rejected-error.ts";
import { readJson } from "./parse-console-uplink.ts";
import {
  checkRequest,
  createReader,
  integrationTable,
  type IntegrationOptions,
} from "./read-integration.ts";
import type { UplinkSubmission } from "./submission.ts";
import { UplinkParseError } from "./uplink-parse-error.ts";

/** The outcome of one uplink. */
export interface ForwardReport {
  /**
   * - `forwarded`: it is on the map.
   * - `not_an_uplink`: it is another message, which `form` names. Nothing was sent.
   * - `left_out`: the published spec, or with `observedRules` a running deployment (observed), does not accept it, see
   *   `problems`. Nothing was sent.
   * - `rejected`: the map rejected it, see `problems`.
   * - `unknown`: it may be on the map. Submissions are not idempotent, so you decide whether to send it again.
   * - `not_sent`: the map was unreachable or overloaded, or the sender disconnected before the uplink was sent. The
   *   sender received a 503, or nothing, and may deliver it again.
   */
  readonly outcome:
    | "forwarded"
    | "not_an_uplink"
    | "left_out"
    | "rejected"
    | "unknown"
    | "not_sent";
  /** What the message is, such as `join event of ChirpStack v4`. */
  readonly form: MessageForm;
  readonly dev_eui: string | undefined;
  /** The changes that made it mappable. */
  readonly changes: readonly string[];
  /** At most 20. If there are more, the last one says so. */
  readonly problems: readonly Problem[];
  /** The submitted uplink, so that you can send it again. Only set if the outcome is `unknown`. */
  readonly uplink: UplinkSubmission | undefined;
}

/** Options of {@link createForwarder}. */
export interface ForwarderOptions extends IntegrationOptions, BuildOptions {
  /** The client that submits. */
  client: Mapper;
  /** Builds a submission from a message. @default fromConsoleUplink */
  build?: ((message: unknown, options: BuildOptions) => MappingResult) | undefined;
  /** The number of parallel submissions. @default 4 */
  concurrency?: number | undefined;
  /** The number of submissions per minute. @default 60 - the limit for one IP address (observed) */
  perMinute?: number | undefined;
  /** The number of uplinks that may wait to be submitted. The delivery of a further one receives a 503. @default 100 */
  maxWaiting?: number | undefined;
  /**
   * Receives the outcome of each uplink. If it throws, or its promise rejects, the error is printed, and no response
   * changes.
   */
  onReport?: ((report: ForwardReport) => unknown) | undefined;
  /** The clock for waits. Its `now` must never go backwards. @default the monotonic clock of the machine */
  clock?: Clock | undefined;
}

/** A function from Request to Response that also counts outcomes. */
export interface Forwarder {
  (request: Request): Promise<Response>;
  /** Returns the number of uplinks so far, by outcome. */
  totals(): Readonly<Record<ForwardReport["outcome"], number>>;
}

// Not at the top of the module: a bundler keeps a table that spreads another one.
const optionsReader = () =>
  options<ForwarderOptions>("createForwarder", {
    client: {
      required: check("a client of the map, such as createMapperClient({ baseUrl })", (value) =>
        hasMethod(value, "ingest"),
      ),
    },
    ...integrationTable,
    ...buildTable,
    build: aFunction,
    concurrency: wholeNumber(1),
    perMinute: wholeNumber(1),
    maxWaiting: wholeNumber(1),
    onReport: aFunction,
    clock: anything,
  });
const MINUTE = 60_000;
/** How often one uplink is submitted while the map responds with 429. */
const TURNS = 3;
const RETRY_LATER = { status: 503, headers: { "retry-after": "60" } };

/**
 * Creates a forwarder. It receives the deliveries of the console's HTTP integration, submits what can be mapped, and reports what
 * it left out and why. **What it forwards is shown on a public map in real time**: the position and the standard fields of an
 * uplink, and what `keep` names.
 *
 * It stays within the rate limit of the map. After a 429, it waits up to a minute. If the map asks for a longer wait, it sends
 * nothing until then, or for five minutes at most. It responds to a delivery when the outcome is known: 503 if nothing was sent, so
 * that the sender retries, and otherwise 200 with the outcome. Throws a TypeError for invalid options.
 *
 * In a worker (workerd), create it in each request: such a runtime cancels a request that waits for another
 * one.
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
export function createForwarder(given: ForwarderOptions): Forwarder {
  const settings = optionsReader()(given);
  const {
    client,
    build = fromConsoleUplink,
    onReport,
    fields,
    observedRules = true,
    keep,
  } = settings;
  const { concurrency = 4, perMinute = 60, maxWaiting = 100 } = settings;
  const clock = steadyClock(settings.clock);
  const { read, reject } = createReader("A forwarder", settings, clock);
  const gate = createGate({ concurrency, perMinute, clock });
  /** When the map may be asked again, after it asked for a wait too long to delay a delivery. */
  let closedUntil = 0;
  const counts = {
    forwarded: 0,
    not_an_uplink: 0,
    left_out: 0,
    rejected: 0,
    unknown: 0,
    not_sent: 0,
  };

  async function forward(message: unknown, signal: AbortSignal): Promise<ForwardReport> {
    const built = build(message, { fields, observedRules, keep });
    const context = { form: built.form, dev_eui: euiOf(message), uplink: undefined };
    if (!built.isMappable) {
      // A builder in JavaScript may not say so.
      const isUplink = !("isUplink" in built) || built.isUplink;
      const outcome = isUplink ? "left_out" : "not_an_uplink";
      return { ...context, outcome, changes: [], problems: built.problems };
    }
    const { uplink, changes } = built;
    const sent = { ...context, changes, problems: [] };
    if (gate.size >= concurrency + maxWaiting) return { ...sent, outcome: "not_sent" };
    for (let turn = 1; ; turn++) {
      try {
        const isSent = await gate.run(async () => {
          if (clock.now() < closedUntil) return false;
          await submit(uplink, signal);
          return true;
        }, signal);
        return { ...sent, outcome: isSent ? "forwarded" : "not_sent" };
      } catch (error) {
        if (error instanceof MapperRejectedError) {
          const problems = error.reasons.map((reason) => ({ path: "", message: reason }));
          return { ...sent, outcome: "rejected", problems };
        }
        if (!(error instanceof CallError)) {
          // The gate rejects with the reason of the signal, before anything was sent.
          if (error === signal.reason) return { ...sent, outcome: "not_sent" };
          throw error;
        }
        // The client has rules of its own, such as those of its option `observedRules`. A retry would break them again.
        if (error instanceof InputError)
          return { ...sent, outcome: "left_out", problems: error.problems };
        if (isApiError(error, STATUS.tooManyRequests) && turn < TURNS) {
          const wait = error.retryAt === undefined ? MINUTE : error.retryAt.getTime() - Date.now();
          if (wait > MINUTE) {
            closedUntil = clock.now() + Math.min(wait, LONGEST_PAUSE);
            return { ...sent, outcome: "not_sent" };
          }
          gate.pause(wait);
          continue;
        }
        if (error.outcome === "applied") return { ...sent, outcome: "forwarded" };
        if (error.outcome === "unknown") return { ...sent, outcome: "unknown", uplink };
        return { ...sent, outcome: "not_sent" };
      }
    }
  }

  /** Submits an uplink, unless its sender leaves before it is sent: it then delivers the uplink again. */
  async function submit(uplink: UplinkSubmission, sender: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const fence: Fence = {
      timeLeft: () => (sender.aborted ? 0 : Infinity),
      reject: () => stop.abort(sender.reason),
    };
    await (client.ingest as FencedIngest)(uplink, { signal: stop.signal }, fence);
  }

  const receive = async (request: Request): Promise<Response> => {
    checkRequest(request);
    const body = await read(request);
    if (body instanceof Response) return body;
    let message: unknown;
    try {
      message = readJson(body);
    } catch (error) {
      if (!(error instanceof UplinkParseError)) throw error;
      return reject(400, error.message);
    }
    const whole = await forward(message, request.signal);
    // The map, or a custom builder, may name any number of problems.
    const report = { ...whole, problems: firstProblems(whole.problems) };
    counts[report.outcome]++;
    // The map has the uplink: a failing report must not make the sender deliver it again.
    notify("onReport", onReport, (call) => call(report));
    const { outcome, form, changes, problems } = report;
    return Response.json(
      { outcome, form, changes, problems },
      outcome === "not_sent" ? RETRY_LATER : undefined,
    );
  };
  return Object.assign(receive, { totals: () => ({ ...counts }) });
}

/** Like `ingest` of the client, whose fence is asked as the last step before each attempt. */
type FencedIngest = (
  input: UplinkSubmission,
  options: CallOptions,
  fence: Fence,
) => Promise<unknown>;
