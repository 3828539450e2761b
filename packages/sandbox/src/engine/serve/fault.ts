/** What goes wrong with a request. */
export type Fault =
  | StatusFault
  | ResetFault
  | LostFault
  | TruncateFault
  | GarbageFault
  | DelayFault
  | StaleFault;

/** Responds with an error status. */
export interface StatusFault {
  /** The kind of fault: an error status. */
  readonly kind: "status";
  /** The status, such as 503. */
  readonly status: number;
  /**
   * The body: a string, or a value that is sent as JSON.
   *
   * @default the usual body of servers: `Too many requests` for 429, the name of the status for others
   */
  readonly body?: string | object | undefined;
  /**
   * The header `content-type`. @default none for a string, as in the console; `application/json` for a value. `""` sends none for
   * either
   */
  readonly contentType?: string | undefined;
  /** Seconds, or a date. A string is sent unchanged. @default none */
  readonly retryAfter?: number | Date | string | undefined;
  /** Does the work first, like a gateway that times out. @default false */
  readonly afterWork?: boolean | undefined;
}

/** Resets the connection before any work is done. */
export interface ResetFault {
  /** The kind of fault: a reset before the work. */
  readonly kind: "reset";
}

/** Does the work and then resets the connection, so that the response is lost. */
export interface LostFault {
  /** The kind of fault: a reset after the work. */
  readonly kind: "lost";
}

/** Does the work and cuts the response off. */
export interface TruncateFault {
  /** The kind of fault: an incomplete response. */
  readonly kind: "truncate";
  /** How many bytes of the body are sent. @default half of it */
  readonly bytes?: number | undefined;
  /** Ends the response normally, so that only the JSON shows that it is incomplete. @default false: the connection breaks */
  readonly clean?: boolean | undefined;
}

/** Does the work and sends an unreadable response. */
export interface GarbageFault {
  /** The kind of fault: an unreadable response. */
  readonly kind: "garbage";
}

/**
 * Does everything as usual, but late. A caller that gives up, aborts or is killed changes nothing: the request was accepted, and its
 * work is carried out later, as by a slow service behind a proxy.
 */
export interface DelayFault {
  /** The kind of fault: a late response. */
  readonly kind: "delay";
  /** The delay in milliseconds. */
  readonly ms: number;
  /** Waits for the clock of the sandbox instead of real time. @default false */
  readonly virtual?: boolean | undefined;
  /** Waits after the work instead of before it. @default false */
  readonly afterWork?: boolean | undefined;
}

/** Returns the device list of a delayed replica: the state of the console some time ago. It applies to `devices.list`. */
export interface StaleFault {
  /** The kind of fault: a delayed device list. */
  readonly kind: "stale";
  /** The delay in milliseconds of real time. @default Infinity - the list from the time when the faults were set */
  readonly ms?: number | undefined;
}
