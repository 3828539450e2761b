import type { Clock } from "@fieldmesh/core";
import type { Layer } from "../serve/call.ts";
import type { KeptCalls, KeptResponse } from "./kept-calls.ts";
import { LogEntry, type LoggedRequest, type RequestDetails } from "./logged-request.ts";

/** The requests that the sandbox received, oldest first. Use it to check what was really sent. */
export interface RequestLog {
  /** Returns all requests, or those of one row. A bounded log has forgotten the oldest. */
  requests(row?: string): LoggedRequest[];
  /** The number of requests since the start or the last `clear`, including forgotten ones. */
  readonly count: number;
  clear(): void;
}

export interface WritableLog extends RequestLog {
  /** The number of the last request, or 0. */
  readonly lastNumber: number;
  /** Requests with a lower number were cleared, also if they are still in progress. */
  readonly firstNumber: number;
  /** Forgets a request and all after it. Their numbers are not used again. Returns a function that appends them again. */
  readonly cut: (number: number) => () => void;
  readonly find: (number: number) => RequestDetails | undefined;
  /** The layer that logs the requests of a service. */
  readonly layer: (service: string) => Layer;
}

export interface RequestLogSetting {
  readonly clock: Clock;
  /** The number of requests that it keeps. */
  readonly limit: number;
  readonly calls: KeptCalls;
  /** Receives a request when it arrives, and when it has its outcome. */
  readonly report: (activity: { kind: "request" | "response"; request: LoggedRequest }) => void;
  /** Keeps responses to show them. Without it, none are kept. */
  readonly keep: ((response: Response) => KeptResponse) | undefined;
}

export function createRequestLog(setting: RequestLogSetting): WritableLog {
  const { clock, limit, calls, report, keep } = setting;
  let entries: LogEntry[] = [];
  let count = 0;
  let lastNumber = 0;
  let firstNumber = 1;
  const last = () => entries.slice(Math.max(0, entries.length - limit));
  const add = (entry: LogEntry) => {
    count++;
    entries.push(entry);
    // Cut rarely: shifting a long array for every request would cost more than the request.
    if (entries.length >= 2 * limit) entries = last();
  };
  return {
    find: (number) => {
      const entry = entries.findLast((each) => each.number === number);
      return entry && LogEntry.detailsOf(entry);
    },
    requests: (row) => last().filter((entry) => row === undefined || entry.row === row),
    get count() {
      return count;
    },
    clear: () => {
      entries = [];
      count = 0;
      firstNumber = lastNumber + 1;
    },
    get lastNumber() {
      return lastNumber;
    },
    get firstNumber() {
      return firstNumber;
    },
    cut: (from) => {
      const removed = entries.filter(({ number }) => number >= from);
      entries = entries.filter(({ number }) => number < from);
      count -= removed.length;
      return () => {
        firstNumber = Math.min(firstNumber, from);
        count += removed.length;
        entries.push(...removed);
      };
    },
    layer: (service) => (next) => async (call) => {
      const place = { service, number: ++lastNumber, time: clock.now() };
      const entry = new LogEntry(calls.keep(call), call, place);
      add(entry);
      report({ kind: "request", request: entry });
      const began = performance.now();
      let kept: KeptResponse | undefined;
      try {
        const response = await next(call);
        entry.status = call.broken ? undefined : response.status;
        if (!call.broken) kept = keep?.(response);
        return response;
      } finally {
        entry.duration = performance.now() - began;
        LogEntry.end(entry, call, kept);
        if (call.keyRejected) calls.keepStart(call);
        report({ kind: "response", request: entry });
      }
    },
  };
}
