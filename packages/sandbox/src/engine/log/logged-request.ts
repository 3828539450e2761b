import type { Call } from "../serve/call.ts";
import type { Fault } from "../serve/fault.ts";
import { inputOf, type KeptCall, type KeptResponse } from "./kept-calls.ts";

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

/** All that is known of a request. */
export interface RequestDetails {
  readonly request: LoggedRequest;
  readonly call: KeptCall;
  /** Path parameters, query and body fields together. */
  readonly input: Call["input"];
  readonly response: KeptResponse | undefined;
}

const HIDDEN = "[redacted]";

type Outcome = Pick<Call, "fault" | "done" | "error">;

/** Only its own fields may be shown. The others are accessors, which no printer reads. */
export class LogEntry implements LoggedRequest {
  readonly row: string | undefined;
  readonly method: string;
  readonly path: string;
  status: number | undefined = undefined;
  duration: number | undefined = undefined;
  readonly #call: KeptCall;
  /** The call itself while it is in progress. It is not kept: it holds the connection and the parsed body. */
  #outcome: Outcome;
  #response: KeptResponse | undefined;

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

  static detailsOf(entry: LogEntry): RequestDetails {
    const call = entry.#call;
    return { request: entry, call, input: inputOf(call), response: entry.#response };
  }

  static end(entry: LogEntry, { fault, done, error }: Outcome, response?: KeptResponse): void {
    entry.#outcome = { fault, done, error };
    entry.#response = response;
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
    const hidden = { headers: HIDDEN, body: HIDDEN };
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
      ...hidden,
    };
  }

  [Symbol.for("nodejs.util.inspect.custom")](): object {
    return this.toJSON();
  }
}
