import { notify, steadyClock, type Clock } from "@fieldmesh/core/internal";
import { showEvent } from "../events/show-name.ts";
import type { EventEnvelope } from "../events/envelope.ts";
import type { VerificationReason } from "../verify/verification-error.ts";
import type { DeliveryReport, ReceiverLogger, ReportOptions } from "./receiver-options.ts";
import { describeErrors } from "./describe-errors.ts";
import { type DeliveryOutcome, STATUS } from "./responses.ts";

/** The outcome of one delivery, before it is reported. */
export interface DeliveryResult {
  readonly outcome: DeliveryOutcome;
  /** As they were read: a handler may change its event. */
  readonly event?: Pick<EventEnvelope, "id" | "type">;
  readonly error?: unknown;
  readonly retryIn?: number;
  readonly reason?: VerificationReason;
  /** What to do about a delivery that was not verified. It contains nothing of its headers and its body. */
  readonly advice?: string;
}

/** Creates the function that reports a delivery and the status of its response to the functions of the options. */
export function createReporter(
  { onOutcome, logger, ...own }: ReportOptions,
  owner = "A webhook receiver responded with",
): (result: DeliveryResult) => void {
  const clock = steadyClock(own.clock);
  const onError = own.onError ?? createPrinter(clock);
  const warn = createWarner(clock, owner);

  return (given) => {
    // Some code throws undefined, and the report must show that.
    const result =
      "error" in given && given.error === undefined ? { ...given, error: nothing() } : given;
    const { outcome, error, reason, event: named } = result;
    const status = STATUS[outcome];
    const event = named && { id: named.id, type: named.type };
    const report = { outcome, status, event, reason };
    if (error !== undefined) notify("onError", onError, (call) => call(error, report));
    notify("onOutcome", onOutcome, (call) => call(report));
    if (logger !== undefined) notify("logger", logger, (target) => log(target, report, result));
    else if (onOutcome === undefined) warn(report, result);
  };
}

function nothing(): Error {
  return new Error(
    "A handler, a store or the function that returns the secret threw undefined. Throw an Error instead.",
  );
}

/**
 * Prints errors. Those of a store and of a queue are printed once a minute for each kind, with the number of times: a full disk fails every
 * delivery, and printing each would fill it further.
 */
function createPrinter(clock: Clock): (error: unknown, report: DeliveryReport) => void {
  const kinds = new Map<string, { printedAt: number; times: number }>();

  return (error, { outcome }) => {
    if (outcome !== "store_failed" && outcome !== "queue_failed") return print(error);
    const kind = describeErrors(error);
    const now = clock.now();
    const known = kinds.get(kind);
    if (known !== undefined && now - known.printedAt < MINUTE) {
      known.times += 1;
      return;
    }
    kinds.set(kind, { printedAt: now, times: 0 });
    if (known === undefined || known.times === 0) return print(error);
    print(error, `(and ${known.times} more since the last time that this kind was printed)`);
  };
}

function print(...values: unknown[]): void {
  // oxlint-disable-next-line no-console -- a hidden failure of a handler is worse than a line on stderr
  console.error(...values);
}

function log(logger: ReceiverLogger, report: DeliveryReport, result: DeliveryResult): unknown {
  const { event, status, outcome } = report;
  const subject = event === undefined ? "A delivery" : showEvent(event);
  const line = `${subject}: ${status} ${outcome}.${adviceOn(result)}`;
  if (result.error !== undefined) return logger.error(line);
  return status < 300 ? logger.debug(line) : logger.warn(line);
}

const MINUTE = 60_000;

/** Prints one line per reason and minute, because the sender, or anyone else, repeats rejected deliveries. */
function createWarner(
  clock: Clock,
  owner: string,
): (report: DeliveryReport, result: DeliveryResult) => void {
  const printedAt = new Map<string, number>();

  return ({ outcome, reason = outcome, status }, result) => {
    // An error is printed by itself. An event in another process needs no action.
    const needsNoLine = status < 400 || result.error !== undefined || outcome === "in_progress";
    if (needsNoLine && !IS_ABOUT_POISON.has(outcome)) return;
    const now = clock.now();
    // In both directions, in case the clock is set back.
    if (Math.abs(now - (printedAt.get(reason) ?? Number.NEGATIVE_INFINITY)) < MINUTE) return;
    printedAt.set(reason, now);
    // oxlint-disable-next-line no-console -- a wrong secret would be silent otherwise
    console.warn(
      `${owner} ${status} ${outcome}.${adviceOn(result)} This is printed once a minute; pass onOutcome or logger to receive each delivery.`,
    );
  };
}

/** The error is that of a handler, and does not say what happened to the event. */
const IS_ABOUT_POISON: ReadonlySet<DeliveryOutcome> = new Set(["set_aside", "not_set_aside"]);

const ADVICE: Readonly<Partial<Record<DeliveryOutcome, string>>> = {
  not_post: "Deliveries are POST requests: check that no redirect turns them into GET.",
  too_large: "The body has more bytes than maxBytes allows.",
  wrong_livemode:
    "The event is from the other environment: compare expectLivemode with the secret.",
  set_aside: "The handlers keep failing. The event is kept: fix them, and call runAgain(id).",
  not_set_aside:
    "The handlers keep failing, and the event cannot be kept: set payload of the poison store, or reload of poison.",
  lease_lost:
    "The lease ended before the event could be recorded. The event is delivered again. Check that the store is reachable and that nothing blocks the event loop.",
};

const ADVICE_ON_REASON: Readonly<Partial<Record<VerificationReason, string>>> = {
  header_missing: " Check that the service sends the header, and that no proxy removes it.",
  header_malformed: " Check scheme.",
};

const EXPLAIN = " Call explain of @fieldmesh/webhook-types/explain to find the cause.";

function adviceOn({ outcome, reason, advice = ADVICE[outcome] }: DeliveryResult): string {
  const all = advice === undefined ? "" : ` ${advice}`;
  return reason === undefined ? all : all + (ADVICE_ON_REASON[reason] ?? "") + EXPLAIN;
}
