/** What goes wrong with a request. */
export type Fault =
  | StatusFault
  | ResetFault
  | LostFault
  | TruncateFault
  | GarbageFault
  | DelayFault
  | StaleFault;

/** An error status instead of the response. */
export interface StatusFault {
  /** What goes wrong: an error status. */
  readonly kind: "status";
  /** The status, such as 503. */
  readonly status: number;
  /**
   * A string, or a value that is sent as JSON.
   *
   * @default what servers say: `Too many requests` for 429, the name of the status for others
   */
  readonly body?: string | object | undefined;
  /** The header `content-type`. @default none for a string, as in the console; `application/json` for a value. `""` sends none either way. */
  readonly contentType?: string | undefined;
  /** Seconds, or a date; a string is sent as it is. @default none */
  readonly retryAfter?: number | Date | string | undefined;
  /** Does the work first, as a gateway does that loses patience. @default false */
  readonly afterWork?: boolean | undefined;
}

/** The connection is reset before any work is done. */
export interface ResetFault {
  /** What goes wrong: a reset before the work. */
  readonly kind: "reset";
}

/** The work is done, then the connection is reset: the response is lost. */
export interface LostFault {
  /** What goes wrong: a reset after the work. */
  readonly kind: "lost";
}

/** The work is done, and the response breaks off. */
export interface TruncateFault {
  /** What goes wrong: a response that breaks off. */
  readonly kind: "truncate";
  /** How much of the body is sent. @default half of it */
  readonly bytes?: number | undefined;
  /** Ends as if it were whole, so that only the JSON tells. @default false: the connection breaks */
  readonly clean?: boolean | undefined;
}

/** The work is done, and the response is unreadable. */
export interface GarbageFault {
  /** What goes wrong: an unreadable response. */
  readonly kind: "garbage";
}

/** Everything is done as usual, but late. */
export interface DelayFault {
  /** What goes wrong: a late response. */
  readonly kind: "delay";
  /** How late, in milliseconds. */
  readonly ms: number;
  /** Waits for the sandbox's clock to be moved, and not for real time. @default false */
  readonly virtual?: boolean | undefined;
  /** Waits after the work and not before it. Either way the work is done, also when the client has left. @default false */
  readonly afterWork?: boolean | undefined;
}

/** The device list is that of a replica which lags: it shows what the console held some time ago. It is played for `devices.list`. */
export interface StaleFault {
  /** What goes wrong: a device list that lags. */
  readonly kind: "stale";
  /** How far it lags, in milliseconds of real time. @default Infinity - it shows what was there when the faults were set */
  readonly ms?: number | undefined;
}
