import type { Clock } from "@fieldmesh/core";
import type { Call, Layer } from "./call.ts";
import type { Fault } from "./faults/fault.ts";

/**
 * One request that the sandbox received, and its outcome.
 *
 * Its `headers`, `body` and `url` may contain an API key or an `app_key`. Printing or storing the entry shows none of them. Only
 * reading these fields does.
 */
export interface LoggedRequest {
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
  readonly body: string;
  /** `undefined` until the response, and if the connection was broken instead. */
  readonly status: number | undefined;
  /** The fault that was played instead of an ordinary response. */
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

/** A log that can be written. */
export interface WritableLog extends RequestLog {
  /** The layer that logs the requests of a service. */
  readonly layer: (service: string) => Layer;
}

/** Creates a log that keeps the last `limit` requests. */
export function createRequestLog(clock: Clock, limit: number): WritableLog {
  let entries: Entry[] = [];
  let count = 0;
  const last = () => entries.slice(Math.max(0, entries.length - limit));
  const add = (entry: Entry) => {
    count++;
    entries.push(entry);
    // Cut rarely: shifting a long array for every request would cost more than the request.
    if (entries.length >= 2 * limit) entries = last();
  };
  return {
    requests: (row) => last().filter((entry) => row === undefined || entry.row === row),
    get count() {
      return count;
    },
    clear: () => {
      entries = [];
      count = 0;
    },
    layer: (service) => (next) => async (call) => {
      const entry = new Entry(call, service, clock.now());
      add(entry);
      const response = await next(call);
      entry.status = call.broken ? undefined : response.status;
      return response;
    },
  };
}

/** Only its own fields may be shown. The others are accessors, which no printer reads. */
class Entry implements LoggedRequest {
  readonly row: string | undefined;
  readonly method: string;
  readonly path: string;
  status: number | undefined = undefined;
  readonly #call: Call;

  readonly service: string;
  readonly time: number;

  constructor(call: Call, service: string, time: number) {
    this.service = service;
    this.time = time;
    this.#call = call;
    this.row = call.row;
    this.method = call.request.method;
    this.path = call.url.pathname;
  }

  get url(): string {
    return this.path + this.#call.url.search;
  }

  get headers(): Record<string, string> {
    return Object.fromEntries(this.#call.request.headers);
  }

  get body(): string {
    return this.#call.body;
  }

  get fault(): Fault | undefined {
    return this.#call.fault;
  }

  get done(): boolean {
    return this.#call.done;
  }

  get error(): unknown {
    return this.#call.error;
  }

  toJSON(): object {
    const { time, service, row, method, path, status, fault, done } = this;
    return {
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
