import type { Clock } from "@fieldmesh/core";
import type { Call, Layer } from "../serve/call.ts";
import type { Fault } from "../serve/fault.ts";
import { inputOf, type KeptCall, type KeptCalls } from "./kept-calls.ts";
import type { KeptResponse } from "./kept-responses.ts";

/**
 * One request that the sandbox received, and its outcome.
 *
 * Its `headers`, `body` and `url` may contain an API key or an `app_key`. Printing or storing the entry shows none of them. Only
 * reading these fields does.
 */
export interface LoggedRequest {
  /** Counts all requests of the sandbox from 1. A reset does not start it again. */
  readonly number: number;
  /** In milliseconds since 1970, by the clock of the sandbox. */
  readonly time: number;
  /** For example `console`. */
  readonly service: string;
  /** For example `labels.get`. `undefined` if no route matches. */
  readonly row: string | undefined;
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The unchanged path and query. */
  readonly url: string;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * `undefined` if the log has forgotten it for newer ones: see the option `logBytes`. Of a request whose key was rejected, only the
   * first 1,024 characters.
   */
  readonly body: string | undefined;
  /** The characters of the whole body. */
  readonly bodyLength: number;
  /** `undefined` until the response, and if the connection was broken instead. */
  readonly status: number | undefined;
  /** Milliseconds of real time until the response or the end of the connection. `undefined` until then. */
  readonly duration: number | undefined;
  /** The fault that was applied to the request. */
  readonly fault: Fault | undefined;
  /** Whether the work was done, even if the client received no response. */
  readonly done: boolean;
  /** The error of an implementation: a bug of the sandbox itself. */
  readonly error: unknown;
}

/** The requests that the sandbox received, oldest first. Use it to check what was really sent. */
export interface RequestLog {
  /** Returns all requests, or those of one row. A bounded log has forgotten the oldest. */
  requests(row?: string): LoggedRequest[];
  /** The number of requests since the start or the last `clear`, including forgotten ones. */
  readonly count: number;
  clear(): void;
}

/** All that is known of a request. */
export interface RequestDetails {
  readonly request: LoggedRequest;
  readonly call: KeptCall;
  /** Path parameters, query and body fields together. */
  readonly input: Call["input"];
  readonly response: KeptResponse | undefined;
}

/** A log that can be written. */
export interface WritableLog extends RequestLog {
  /** The number of the last request, or 0. */
  readonly lastNumber: number;
  /** Requests with a lower number were cleared, also if they are still in progress. */
  readonly firstNumber: number;
  /** Forgets a request and all after it. Their numbers are not used again. Returns a function that appends them again. */
  readonly cut: (number: number) => () => void;
  /** Finds a request by its number. */
  readonly find: (number: number) => RequestDetails | undefined;
  /** The layer that logs the requests of a service. */
  readonly layer: (service: string) => Layer;
}

/** Receives a request when it arrives, and when it has its outcome. */
export type ReportRequest = (activity: {
  readonly kind: "request" | "response";
  readonly request: LoggedRequest;
}) => void;

/** What a log needs. */
export interface RequestLogSetting {
  readonly clock: Clock;
  /** The number of requests that it keeps. */
  readonly limit: number;
  readonly calls: KeptCalls;
  readonly report: ReportRequest;
  /** Keeps responses to show them. Without it, none are kept. */
  readonly keep: ((response: Response) => KeptResponse) | undefined;
}

/** Creates a log that keeps the last `limit` requests. */
export function createRequestLog({
  clock,
  limit,
  calls,
  report,
  keep,
}: RequestLogSetting): WritableLog {
  let entries: Entry[] = [];
  let count = 0;
  let lastNumber = 0;
  let firstNumber = 1;
  const last = () => entries.slice(Math.max(0, entries.length - limit));
  const add = (entry: Entry) => {
    count++;
    entries.push(entry);
    // Cut rarely: shifting a long array for every request would cost more than the request.
    if (entries.length >= 2 * limit) entries = last();
  };
  return {
    find: (number) => {
      const entry = entries.findLast((each) => each.number === number);
      return entry && detailsOf(entry);
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
      const entry = new Entry(calls.keep(call), call, place);
      add(entry);
      report({ kind: "request", request: entry });
      const began = performance.now();
      try {
        const response = await next(call);
        entry.status = call.broken ? undefined : response.status;
        if (keep !== undefined && !call.broken) setResponse(entry, keep(response));
        return response;
      } finally {
        entry.duration = performance.now() - began;
        setOutcome(entry, call);
        if (call.keyRejected) calls.keepStart(call);
        report({ kind: "response", request: entry });
      }
    },
  };
}

/** What only the log may read and write of an entry. */
let detailsOf: (entry: Entry) => RequestDetails;
let setResponse: (entry: Entry, response: KeptResponse) => void;
let setOutcome: (entry: Entry, outcome: Outcome) => void;

/** What happened to a call. */
type Outcome = Pick<Call, "fault" | "done" | "error">;

/** Only its own fields may be shown. The others are accessors, which no printer reads. */
class Entry implements LoggedRequest {
  readonly row: string | undefined;
  readonly method: string;
  readonly path: string;
  status: number | undefined = undefined;
  duration: number | undefined = undefined;
  readonly #call: KeptCall;
  /** The call itself while it is in progress. It is not kept: it holds the connection and the parsed body. */
  #outcome: Outcome;
  #response: KeptResponse | undefined;

  static {
    detailsOf = (entry) => ({
      request: entry,
      call: entry.#call,
      input: inputOf(entry.#call),
      response: entry.#response,
    });
    setResponse = (entry, response) => {
      entry.#response = response;
    };
    setOutcome = (entry, { fault, done, error }) => {
      entry.#outcome = { fault, done, error };
    };
  }

  readonly number: number;
  readonly service: string;
  readonly time: number;

  constructor(
    call: KeptCall,
    outcome: Outcome,
    { number, service, time }: Pick<LoggedRequest, "number" | "service" | "time">,
  ) {
    this.number = number;
    this.service = service;
    this.time = time;
    this.#call = call;
    this.#outcome = outcome;
    this.row = call.row;
    this.method = call.method;
    this.path = call.url.pathname;
  }

  get url(): string {
    return this.path + this.#call.url.search;
  }

  get headers(): Record<string, string> {
    return Object.fromEntries(this.#call.headers);
  }

  get body(): string | undefined {
    return this.#call.body.text;
  }

  get bodyLength(): number {
    return this.#call.body.length;
  }

  get fault(): Fault | undefined {
    return this.#outcome.fault;
  }

  get done(): boolean {
    return this.#outcome.done;
  }

  get error(): unknown {
    return this.#outcome.error;
  }

  toJSON(): object {
    // Without the duration, which is another one in each run.
    const { number, time, service, row, method, path, status, fault, done } = this;
    return {
      number,
      time,
      service,
      row,
      method,
      path,
      status,
      fault: fault?.kind,
      done,
      headers: HIDDEN,
      body: HIDDEN,
    };
  }

  [Symbol.for("nodejs.util.inspect.custom")](): object {
    return this.toJSON();
  }
}

const HIDDEN = "[redacted]";
