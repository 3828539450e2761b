import { styleText } from "node:util";
import type { Clock } from "@fieldmesh/core";
import type { SandboxActivity } from "../../engine/services/feed.ts";
import type { LoggedRequest } from "../../engine/log/logged-request.ts";
import type { AttemptRecord, DeliveryRecord } from "../../engine/webhooks/delivery.ts";
import { stateOf } from "../../engine/webhooks/has-failed.ts";
import { shownUrl } from "../../engine/webhooks/shown-url.ts";
import type { RunningSandbox } from "../../server/start-sandbox.ts";
import type { CommandOutput } from "../command.ts";
import { deliveryRecord, printable } from "../webhooks/describe-delivery.ts";
import { foreignKeyNote } from "../../engine/controls/key-owner.ts";
import { describeRewound } from "../../engine/controls/describe-rewound.ts";

/** Prints a line or JSON object for each request and attempt, without header, query or body. Returns how to end it. */
export function showActivity(
  sandbox: RunningSandbox<Clock>,
  output: CommandOutput,
  program: string,
): () => void {
  const print = (record: object, line: string): void => {
    const printed = output.isJson ? output.records([record]) : output.line(line);
    // A reader such as head has ended: the sandbox continues.
    printed.catch(() => {});
  };
  return sandbox.watch((activity: SandboxActivity) => {
    if (activity.kind === "response")
      print(requestRecord(activity.request), requestLine(activity.request, sandbox));
    if (activity.kind === "rewind") {
      const { rewound } = activity;
      const text = `went back to before request ${rewound.before}, which ${describeRewound(rewound)}. To undo it: ${program} undo`;
      print({ type: "rewind", ...rewound }, ownLine(sandbox, text));
    }
    if (activity.kind === "undo") {
      const text = "undone: everything is as it was before going back";
      print({ type: "undo" }, ownLine(sandbox, text));
    }
    if (activity.kind !== "delivery") return;
    const [last] = activity.delivery.attempts.slice(-1);
    // A new delivery has no attempt yet.
    if (last === undefined) return;
    const { delivery } = activity;
    const endpoint = sandbox.webhooks.endpoints.find(({ id }) => id === delivery.endpoint_id);
    const { type: event_type, ...record } = deliveryRecord(delivery);
    print(
      { type: "delivery", event_type, ...record },
      deliveryLine(delivery, last, endpoint && shownUrl(endpoint.url)),
    );
  });
}

function requestRecord(request: LoggedRequest): object {
  const { number, time, service, method, path, row, status, duration = 0, fault, done } = request;
  return {
    type: "request",
    number,
    time: new Date(time).toISOString(),
    service,
    method,
    path,
    call: row ?? null,
    status: status ?? null,
    duration: Math.round(duration),
    fault: fault?.kind ?? null,
    done,
  };
}

/** Wide enough for `console` and `webhook`. */
const SERVICE_WIDTH = 7;
const METHOD_WIDTH = 6;

function requestLine(request: LoggedRequest, sandbox: RunningSandbox<Clock>): string {
  const { time, service, method, path, status, duration = 0, fault, row } = request;
  const note = foreignKeyNote(request, sandbox);
  return [
    dim(timeOf(time)),
    service.padEnd(SERVICE_WIDTH),
    printable(method).padEnd(METHOD_WIDTH),
    colored(status?.toString() ?? NO_STATUS, status),
    printable(path),
    ...(row === undefined ? [] : [dim(row)]),
    dim(`${Math.round(duration)} ms`),
    ...(fault === undefined ? [] : [styleText("magenta", `fault: ${fault.kind}`)]),
    ...(note === undefined ? [] : [styleText("yellow", note)]),
  ].join("  ");
}

function deliveryLine(
  delivery: DeliveryRecord,
  last: AttemptRecord,
  url = "an endpoint that was removed",
): string {
  const { type, event_id, status, attempts, nextAttemptAt } = delivery;
  const state = stateOf(delivery);
  const next = {
    delivered: ["delivered"],
    dead: [styleText("red", "dead: no further attempt")],
    pending: [nextAttemptAt === undefined ? state : `${state}, next at ${timeOf(nextAttemptAt)}`],
  };
  return [
    dim(timeOf(last.at)),
    "webhook".padEnd(SERVICE_WIDTH),
    "POST".padEnd(METHOD_WIDTH),
    colored(last.status?.toString() ?? NO_STATUS, last.status),
    printable(url),
    dim(`${printable(type)}  ${event_id}`),
    dim(`${Math.round(last.duration)} ms`),
    ...(last.outcome === "response_lost" ? [styleText("magenta", "response lost")] : []),
    ...(attempts.length > 1 ? [`attempt ${attempts.length}`] : []),
    ...next[status],
  ].join("  ");
}

/** A line about the sandbox itself. */
function ownLine({ clock }: RunningSandbox<Clock>, text: string): string {
  return [dim(timeOf(clock.now())), "sandbox".padEnd(SERVICE_WIDTH), text].join("  ");
}

/** In place of a status, where no response was sent or none arrived. */
const NO_STATUS = "---";

function colored(text: string, status: number | undefined): string {
  if (status === undefined || status >= 500) return styleText("red", text);
  return styleText(status >= 400 ? "yellow" : "green", text);
}

function dim(text: string): string {
  return styleText("dim", text);
}

/** The local time of the day, such as `09:30:05`. */
function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toTimeString().slice(0, "hh:mm:ss".length);
}
