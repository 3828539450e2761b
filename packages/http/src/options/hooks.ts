import { aFunction, options, type OptionTable } from "@fieldmesh/core/internal";

/**
 * Functions that observe what a client does. They receive redacted data: no credential, no secret, and no personal data that the
 * contract names. An error that a hook throws has no effect on the call. The first error of each hook is printed with
 * `console.warn`.
 */
export interface Hooks {
  /** Called before each attempt. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called after each attempt that received a response, whatever its status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called after each attempt that received no complete response. */
  onFailure?: ((event: FailureEvent) => void) | undefined;
}

/** The check of each hook. */
export const HOOKS: OptionTable<Hooks> = {
  onRequest: aFunction,
  onResponse: aFunction,
  onFailure: aFunction,
};

/** Checks the option `hooks`. */
export const checkHooks = /* @__PURE__ */ options<Hooks>("hooks", HOOKS);

/** The fields of all events. */
export interface CallEvent {
  /** The id of the call, a UUID. All events of all its attempts have the same one. Each page of a walk is a call. */
  readonly callId: string;
  /** The method that was called, such as `labels.get`. */
  readonly call: string;
  /** The route of the contract. */
  readonly route: string;
  /** Starts at 1. */
  readonly attempt: number;
}

/** A request that is about to be sent. */
export interface RequestEvent extends CallEvent {
  /** Names are in lower case. Headers with a credential show `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The input of the call. Secrets and personal data show `[redacted]`. */
  readonly input: unknown;
}

/** A response that was received. */
export interface ResponseEvent extends CallEvent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds from sending to the last byte. */
  readonly duration: number;
  /** Bytes of the body after decompression. */
  readonly bytes: number;
  /** The id under which the server logged the request, or `undefined` if it sends none. */
  readonly requestId: string | undefined;
  /**
   * The redacted body of a success. `undefined` for an error status, whose body may repeat anything, and for a list that is read
   * record by record: the event then comes with the first record, and counts what has arrived.
   */
  readonly body: unknown;
}

/** A request without a complete response. */
export interface FailureEvent extends CallEvent {
  /** What failed, such as `ECONNRESET` or `timeout`. */
  readonly failure: string;
  /** The status of a response whose body broke off, or `undefined` if no response arrived. */
  readonly status: number | undefined;
  /** Milliseconds from sending to the failure. */
  readonly duration: number;
}
