import { notify, onceAMinute, steadyClock } from "@fieldmesh/core/internal";
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

/**
 * Creates the function that reports a delivery and the status of its response to the functions of the options. What anyone can
 * cause or repeat is counted, and passed on once a minute for each kind.
 */
export function createReporter(
  { onOutcome, onError, logger, ...own }: ReportOptions,
  owner = "A webhook receiver responded with",
): (result: DeliveryResult) => void {
  const clock = steadyClock(own.clock);
  const errors = onceAMinute(clock);
  const lines = onceAMinute(clock);

  return (given) => {
    // Some code throws undefined, and the report must show that.
    const result =
      "error" in given && given.error === undefined ? { ...given, error: nothing() } : given;
    const { outcome, error, reason, advice, event: named } = result;
    const status = STATUS[outcome];
    const event = named && { id: named.id, type: named.type };
    const report = { outcome, status, event, reason };
    const kind = `${outcome} ${error === undefined ? (reason ?? advice) : describeErrors(error)}`;
    if (error !== undefined) {
      const more = isAnyones(outcome) || IS_REPEATED.has(outcome) ? errors(kind) : [];
      if (more !== undefined && onError === undefined) print(error, ...more);
      else if (more !== undefined) notify("onError", onError, (call) => call(error, report));
    }
    notify("onOutcome", onOutcome, (call) => call(report));
    if (logger !== undefined) {
      const more = isAnyones(outcome) ? lines(kind) : [];
      if (more !== undefined)
        notify("logger", logger, (target) => log(target, report, result, more));
    } else if (onOutcome === undefined && needsLine(result)) {
      const more = lines(kind);
      if (more === undefined) return;
      // oxlint-disable-next-line no-console -- a wrong secret would be silent otherwise
      console.warn(
        `${owner} ${status} ${outcome}.${adviceOn(result, more)} This is printed once a minute; pass onOutcome to receive each delivery.`,
      );
    }
  };
}

/** Whether anyone can cause it, or repeat it as often as they like: nobody has verified a signature. */
function isAnyones(outcome: DeliveryOutcome): boolean {
  return IS_ANYONES.has(outcome);
}

const IS_ANYONES: ReadonlySet<DeliveryOutcome> = new Set([
  "not_post",
  "too_large",
  "incomplete",
  "not_verified",
  "unreadable",
]);
/** A full disk fails every delivery, and printing each would fill it further. */
const IS_REPEATED: ReadonlySet<DeliveryOutcome> = new Set(["store_failed", "queue_failed"]);

function nothing(): Error {
  return new Error(
    "A handler, a store or the function that returns the secret threw undefined. Throw an Error instead.",
  );
}

function print(...values: unknown[]): void {
  // oxlint-disable-next-line no-console -- a hidden failure of a handler is worse than a line on stderr
  console.error(...values);
}

function log(
  logger: ReceiverLogger,
  { event, status, outcome }: DeliveryReport,
  result: DeliveryResult,
  more: readonly string[],
): unknown {
  const subject = event === undefined ? "A delivery" : showEvent(event);
  const line = `${subject}: ${status} ${outcome}.${adviceOn(result, more)}`;
  if (result.error !== undefined) return logger.error(line);
  return status < 300 ? logger.debug(line) : logger.warn(line);
}

/** An error is printed by itself. An event in another process needs no action. */
function needsLine({ outcome, error }: DeliveryResult): boolean {
  const isRejected = STATUS[outcome] >= 400 && error === undefined && outcome !== "in_progress";
  return isRejected || IS_ABOUT_POISON.has(outcome);
}

/** The error is that of a handler, and does not say what happened to the event. */
const IS_ABOUT_POISON: ReadonlySet<DeliveryOutcome> = new Set(["set_aside", "not_set_aside"]);

const ADVICE: Readonly<Partial<Record<DeliveryOutcome, string>>> = {
  not_post: "Deliveries are POST requests: check that no redirect turns them into GET.",
  too_large: "The body has more bytes than maxBytes allows.",
  incomplete: "The sender broke off before its body was complete.",
  wrong_livemode:
    "The event is from the other environment: compare expectLivemode with the secret.",
  set_aside: "The handlers keep failing. The event is kept: fix them, and call runAgain(id).",
  not_set_aside:
    "The handlers keep failing, and the event cannot be kept: set payload of the poison store, or reload of poison.",
  too_old:
    "The job was stored longer ago than maxAge of the worker: the store may have forgotten its event. It stays in the queue, among the failed ones.",
  lease_lost:
    "The lease ended before the event could be recorded. The event is delivered again. Check that the store is reachable and that nothing blocks the event loop.",
};

const ADVICE_ON_REASON: Readonly<Partial<Record<VerificationReason, readonly string[]>>> = {
  header_missing: ["Check that the service sends the header, and that no proxy removes it."],
  header_malformed: [
    "Check scheme, and that no proxy adds blanks to the header, or a second one with another time.",
  ],
};

const EXPLAIN = "Call explain of @fieldmesh/webhook-types/explain to find the cause.";

function adviceOn(
  { outcome, reason, advice = ADVICE[outcome] }: DeliveryResult,
  more: readonly string[],
): string {
  const all = advice === undefined ? [] : [advice];
  const why = reason === undefined ? [] : [...(ADVICE_ON_REASON[reason] ?? []), EXPLAIN];
  return [...all, ...why, ...more].map((part) => ` ${part}`).join("");
}
