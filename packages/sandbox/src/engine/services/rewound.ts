/** What going back to before a request has removed. A negative number is what came back. */
export interface Rewound {
  /** The number of the request. */
  readonly before: number;
  readonly requests: number;
  readonly devices: number;
  readonly deliveries: number;
  /** Milliseconds that the clock was set back. */
  readonly ms: number;
}
