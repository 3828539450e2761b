// It imports nothing, so that the page is compiled without the engine.

/** One attempt to deliver an event. */
export interface AttemptRecord {
  /** In milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number;
  /** The status of the response. `undefined` if none arrived, or if a fault dropped it. */
  readonly status: number | undefined;
  readonly outcome: "accepted" | "rejected" | "no_response" | "response_lost";
  /** Milliseconds of real time until the response or the failure. */
  readonly duration: number;
}

/** What an attempt received. */
export interface AttemptResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` for a long one. */
  readonly body: string | undefined;
}

/** The delivery of one event to one endpoint. It contains no body and no secret. */
export interface DeliveryRecord {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly endpoint_id: string;
  readonly status: "pending" | "delivered" | "dead";
  readonly attempts: readonly AttemptRecord[];
  /** In milliseconds since 1970. `undefined` once it is delivered or dead. */
  readonly nextAttemptAt: number | undefined;
}

/** Deliberate disturbances of deliveries. Times are in milliseconds of the sandbox's clock. */
export interface Disturbance {
  /** How many additional times each event is delivered. @default 0 */
  readonly duplicates?: number | undefined;
  /** The longest random delay of a delivery, so that events arrive out of order. @default 0 */
  readonly disorder?: number | undefined;
  /** The delay of every delivery. @default 0 */
  readonly delay?: number | undefined;
  /** How many responses of each delivery are dropped, so that an accepted event is delivered again. @default 0 */
  readonly lostResponses?: number | undefined;
}
