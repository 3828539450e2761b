/**
 * Functions that watch what a client does. What they see is redacted: no credential, no secret, no personal data
 * that the contract names. They only watch: what they throw changes no call. The first error of each is printed with `console.warn`.
 */
export interface Hooks {
  /** Before each attempt. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** After each attempt that got a response, whatever its status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** After each attempt that got no complete response. */
  onFailure?: ((event: FailureEvent) => void) | undefined;
}

/** What is common to all that hooks see. */
export interface CallEvent {
  /** The id of the call, a UUID: the same in all events of all its attempts. Each page of a walk is a call. */
  readonly callId: string;
  /** The method that was called, such as `labels.get`. */
  readonly call: string;
  /** The route as the contract writes it. */
  readonly route: string;
  /** Counted from 1. */
  readonly attempt: number;
}

/** A request that is about to be sent. */
export interface RequestEvent extends CallEvent {
  /** Names in lower case; those that carry a credential show `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The input of the call; secrets and personal data show `[redacted]`. */
  readonly input: unknown;
}

/** A response that was received. */
export interface ResponseEvent extends CallEvent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds from sending to the last byte. */
  readonly duration: number;
  /** Size of the body after decompression. */
  readonly bytes: number;
  /** The body of a success, redacted; `undefined` for an error status, whose body may repeat anything. */
  readonly body: unknown;
}

/** A request that got no complete response. */
export interface FailureEvent extends CallEvent {
  /** What went wrong, such as `ECONNRESET` or `timeout`. */
  readonly failure: string;
  /** Milliseconds from sending to the failure. */
  readonly duration: number;
}
