import { tell, type Clock } from "@fieldmesh/core";
import { showEvent } from "../show-name.ts";
import type { EventEnvelope } from "../events/envelope.ts";
import type { VerificationReason } from "../verify/verification-error.ts";
import type { DeliveryReport, ReceiverLogger, ReceiverOptions } from "./receiver-options.ts";
import type { DeliveryOutcome } from "./responses.ts";

/** What became of one delivery, before it is reported. */
export interface DeliveryResult {
  readonly outcome: DeliveryOutcome;
  /** As they were read: a handler may change its event. */
  readonly event?: Pick<EventEnvelope, "id" | "type">;
  readonly error?: unknown;
  readonly retryIn?: number;
  readonly reason?: VerificationReason;
  /** What to do about a delivery that was not verified. It holds nothing of its headers and its body. */
  readonly advice?: string;
}

type Reporters = Pick<ReceiverOptions, "onOutcome" | "logger" | "onError">;

/** Returns what reports a delivery, and the status of its response, to whom the options name. */
export function createReporter(
  { onOutcome, logger, onError = printError }: Reporters,
  clock: Clock,
): (result: DeliveryResult, status: number) => void {
  const warn = createWarner(clock);

  return (given, status) => {
    // Somebody throws undefined, and would not be told of it.
    const result =
      "error" in given && given.error === undefined ? { ...given, error: nothing() } : given;
    const { outcome, error, reason, event: { id, type } = {} } = result;
    const event = id === undefined || type === undefined ? undefined : { id, type };
    const report = { outcome, status, event, reason };
    if (error !== undefined) tell("onError", onError, (call) => call(error, report));
    tell("onOutcome", onOutcome, (call) => call(report));
    if (logger !== undefined) tell("logger", logger, (target) => log(target, report, result));
    else if (onOutcome === undefined) warn(report, result);
  };
}

function nothing(): Error {
  return new Error("undefined was thrown, by a handler, a store or the function of the secret.");
}

function printError(error: unknown): void {
  // oxlint-disable-next-line no-console -- a failed handler that nobody hears of is worse than a line on stderr
  console.error(error);
}

function log(logger: ReceiverLogger, report: DeliveryReport, result: DeliveryResult): unknown {
  const { event, status, outcome } = report;
  const subject = event === undefined ? "A delivery" : showEvent(event);
  const line = `${subject}: ${status} ${outcome}.${adviceOn(result)}`;
  if (result.error !== undefined) return logger.error(line);
  return status < 300 ? logger.debug(line) : logger.warn(line);
}

const MINUTE = 60_000;

/** Prints one line for each reason and minute, because the sender, or anybody else, repeats what is rejected. */
function createWarner(clock: Clock): (report: DeliveryReport, result: DeliveryResult) => void {
  const printedAt = new Map<string, number>();

  return ({ outcome, reason = outcome, status }, result) => {
    // An error is printed by itself. Another process that has the event is nothing to act on.
    const needsNoLine = status < 400 || result.error !== undefined || outcome === "in_progress";
    if (needsNoLine && !IS_ABOUT_POISON.has(outcome)) return;
    const now = clock.now();
    // In both directions, for a clock that is set back.
    if (Math.abs(now - (printedAt.get(reason) ?? Number.NEGATIVE_INFINITY)) < MINUTE) return;
    printedAt.set(reason, now);
    // oxlint-disable-next-line no-console -- a wrong secret would be silent otherwise
    console.warn(
      `A webhook receiver responded with ${status} ${outcome}.${adviceOn(result)} This is printed once a minute; pass onOutcome or logger to receive each delivery.`,
    );
  };
}

/** The error says what a handler threw, and not what became of the event. */
const IS_ABOUT_POISON: ReadonlySet<DeliveryOutcome> = new Set(["set_aside", "not_set_aside"]);

const ADVICE: Readonly<Partial<Record<DeliveryOutcome, string>>> = {
  not_post: "Deliveries are POST requests: does a redirect turn them into GET?",
  too_large: "The body has more bytes than maxBytes allows.",
  wrong_livemode: "The event is of the other environment: compare expectLivemode with the secret.",
  set_aside:
    "The handlers keep failing. The event is kept: fix them, and call receive.runAgain(id).",
  not_set_aside:
    "The handlers keep failing, and the event cannot be kept: give the store of poison a payload, or poison a reload.",
  lease_lost: "The handlers ran for longer than their lease, and the sender retries the event.",
};

const ADVICE_ON_REASON: Readonly<Partial<Record<VerificationReason, string>>> = {
  header_missing: " Did the service send the header, and does a proxy remove it?",
  header_malformed: " Is it the right scheme?",
};

const EXPLAIN = " Call explain of @fieldmesh/webhook-types/explain to find the cause.";

function adviceOn({ outcome, reason, advice = ADVICE[outcome] }: DeliveryResult): string {
  const all = advice === undefined ? "" : ` ${advice}`;
  return reason === undefined ? all : all + (ADVICE_ON_REASON[reason] ?? "") + EXPLAIN;
}
