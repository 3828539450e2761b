// What the controls send to the page, which is compiled without the engine: this file imports only types of files that import nothing.
import type { Rewound } from "../services/rewound.ts";
import type { AttemptResponse, DeliveryRecord, Disturbance } from "../webhooks/delivery-record.ts";

/** A request in a list. It contains no other header, no query and no body. */
export interface RequestRow {
  readonly number: number;
  /** Milliseconds since 1970, by the clock of the sandbox. */
  readonly time: number;
  readonly service: string;
  readonly row: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  /** Milliseconds. `undefined` while the request is in progress. */
  readonly duration: number | undefined;
  readonly fault: string | undefined;
  readonly done: boolean;
  /** Its `user-agent`, without the queries of addresses. */
  readonly client: string | undefined;
  /** Whose key it carries. `printed` is the one that the sandbox prints for its service. `undefined` without a key. */
  readonly key: "printed" | "console" | "mobile" | "unknown" | undefined;
}

/** A request in full. What is secret, personal or undeclared is hidden: `[redacted]` and `[undeclared]`. */
export interface RequestView extends RequestRow {
  /** For example `GET /api/v1/labels/:label_id`. */
  readonly route: string | undefined;
  /** The fault with its options. */
  readonly played: PlayedFault | undefined;
  /** The error of the sandbox itself, if it has one. */
  readonly error: string | undefined;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BodyView;
  /** Why it was rejected, if its own response does not say it. */
  readonly note: string | undefined;
  /** A program that sends it with a client. */
  readonly program: string | undefined;
  readonly response:
    | { readonly headers: Readonly<Record<string, string>>; readonly body: BodyView }
    | undefined;
}

/** A fault that was played, as far as the page describes it. */
export interface PlayedFault {
  readonly kind: string;
  readonly status?: number | undefined;
  readonly ms?: number | undefined;
  readonly afterWork?: boolean | undefined;
}

/** A request as it was sent, with all secrets. */
export interface SentRequest {
  readonly method: string;
  /** The path and the query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` if it was not kept whole. */
  readonly body: string | undefined;
}

/** A body: parsed JSON, a string, or only its length. */
export type BodyView =
  | { readonly kind: "none" }
  | { readonly kind: "json"; readonly value: unknown }
  | {
      readonly kind: "text";
      readonly text: string;
      /** The characters of the whole body. `undefined` if this is all of it. */
      readonly whole?: number;
    }
  | { readonly kind: "left_out"; readonly length: number | undefined };

/** An event in a list. */
export interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly livemode: boolean;
  /** Those of its object: its own as `object`, and others by name. */
  readonly ids: Readonly<Record<string, string>>;
}

export type DeliveryRow = DeliveryRecord;

/** What a delivery has besides its record. */
export interface DeliveryView {
  /** The event without codes and personal data. */
  readonly event: unknown;
  readonly attempts: readonly AttemptView[];
  /** The ids of the records that the event is about. */
  readonly records: readonly string[];
  /** What a check of the last signature has shown. */
  readonly signature: string | undefined;
}

/** What an attempt sent and received. It shows no signing secret. */
export interface AttemptView {
  /** Without its query. `undefined` for an attempt of a snapshot from a file. */
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly response: AttemptResponse | undefined;
}

/** A webhook endpoint with the number of its secrets. Its address has no query. */
export interface EndpointRow {
  readonly id: string;
  readonly url: string;
  readonly enabled_events: readonly string[];
  readonly livemode: boolean;
  readonly secrets: number;
}

/** A fault script as JSON. `times: "all"` is `Infinity`. */
export type FaultsView =
  | { readonly kind: "none" | "function" }
  | { readonly kind: "rules"; readonly rules: readonly RuleView[] }
  | { readonly kind: "rate"; readonly rate: RateView };

/** A rule: a fault with its options, and what it affects. */
export interface RuleView {
  readonly kind: string;
  readonly on?: string | undefined;
  readonly service?: string | undefined;
  readonly times?: number | "all" | undefined;
  readonly skip?: number | undefined;
  readonly status?: number | undefined;
  readonly ms?: number | undefined;
  /** To set it: milliseconds, or a time such as `+10 min`, by the clock of the sandbox. */
  readonly duration?: number | string | undefined;
  /** When it ends, in milliseconds since 1970 by the clock of the sandbox. */
  readonly until?: number | undefined;
}

export interface RateView {
  /** As in a rule. */
  readonly duration?: number | string | undefined;
  readonly until?: number | undefined;
  readonly rate: number;
  readonly kinds?: readonly unknown[] | undefined;
  readonly on?: string | undefined;
}

/** What a viewer may change. */
export interface Settings {
  readonly endpoints: readonly EndpointRow[];
  readonly disturbance: Disturbance;
  readonly faults: FaultsView;
  /** The calls that a fault can affect, such as `labels.get`, by service. */
  readonly calls: Readonly<Record<string, readonly string[]>>;
  /** The number of requests that the log keeps. */
  readonly logSize: number;
  /** Requests with a lower number were cleared. One of them may still be in progress. */
  readonly firstRequest: number;
  /** The options of each service that were passed, and what its deployment sets. `null` is `Infinity`. */
  readonly options: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The services that require a key. */
  readonly keyed: readonly string[];
  /** Going back can be undone as long as no request has a higher number. */
  readonly undoableAfter: number | undefined;
}

/** The printed keys of the services that have one, by service. */
export interface KeysView {
  readonly [service: string]: string;
}

/** What going back to before a request removes. A negative number is what comes back. */
export type RewoundView = Rewound;

/** The time of the sandbox when a message was written. */
export interface ClockView {
  readonly now: number;
  /** A virtual clock moves when it is advanced. A steerable one runs too, and can be paused. */
  readonly kind: "system" | "virtual" | "steerable";
  /** Whether it moves only when it is advanced. */
  readonly isPaused: boolean;
}

/** One message to a viewer: what changed since the last one. */
export interface FeedMessage {
  /** Forget everything: what follows is the whole. */
  readonly reset?: true;
  readonly requests?: readonly RequestRow[];
  readonly events?: readonly EventRow[];
  readonly deliveries?: readonly DeliveryRow[];
  readonly settings?: Settings;
  readonly clock: ClockView;
}

/** What a form for events of one type is made of. */
export interface EventForm {
  readonly type: string;
  /** The JSON Schema of `data`. */
  readonly schema: object;
  /** The `data` of the sample. */
  readonly data: unknown;
}

/** What a word of a filter means. Without fields and contents, it matches nothing. */
export interface WordMatch {
  readonly word: string;
  /** The names of the fields that it matches. */
  readonly fields: readonly string[];
  /** Without a field, the contents that it matches. */
  readonly inside: readonly ("headers" | "body")[];
}

/** By word of a search: the numbers of the requests, and the ids of the events, whose content contains it. */
export type BodyMatches = Readonly<
  Record<
    string,
    {
      readonly requests: readonly number[];
      /** The numbers of the requests with headers that contain it, or the headers of their responses. */
      readonly headers: readonly number[];
      readonly events: readonly string[];
    }
  >
>;

/** A device, a SIM or a subscriber with all that has happened to it. */
export interface RecordView {
  readonly kind: "device" | "sim" | "subscriber";
  readonly id: string;
  /** The name of a device, and the id of others. */
  readonly title: string;
  /** Its fields, with marks in place of what is hidden. */
  readonly record: Readonly<Record<string, unknown>>;
  /** The oldest first. */
  readonly timeline: readonly TimelineEntry[];
  /** What can be done with it now. */
  readonly actions: readonly RecordAction[];
}

/** Something that happened to a record. `time` is in milliseconds since 1970, by the clock of the sandbox. */
export type TimelineEntry = { readonly time: number } & Happened;

export type Happened =
  | { readonly kind: "request"; readonly request: RequestRow }
  | { readonly kind: "event"; readonly event: EventRow }
  /** An event of a device. */
  | { readonly kind: "uplink"; readonly text: string }
  /** An attempt, counted from 1. `undefined` for a delivery without one, at the time when the first is due. */
  | {
      readonly kind: "delivery";
      readonly delivery: DeliveryRow;
      readonly attempt: number | undefined;
    };

export interface RecordAction {
  readonly name: string;
  /** As on a button. */
  readonly label: string;
  /** The event that it sends. A `trigger` without one needs the type of an event. */
  readonly type?: string;
}

/** An event with its deliveries. */
export interface EventView {
  /** Without codes and personal data. */
  readonly event: unknown;
  readonly deliveries: readonly DeliveryRow[];
  /** The ids of the records that it is about. */
  readonly records: readonly string[];
}

/** How much the services are called, and what is left of their limits. */
export interface RatesView {
  /** By service: the requests within the last minute. */
  readonly minute: Readonly<Record<string, number>>;
  readonly limits: readonly LimitView[];
}

export interface LimitView {
  readonly service: string;
  readonly kind: "requests" | "reads" | "writes";
  /** The address or the key that is counted. No key is shown. */
  readonly sender: string;
  /** `null` without a limit. */
  readonly perMinute: number | null;
  readonly left: number | null;
  /** When its minute ends, by the clock of the sandbox. `null` if nothing was sent in it. */
  readonly resetsAt: number | null;
}

/** A part of a list of records. */
export interface StatePage {
  /** What each word of the search has matched. */
  readonly matches: readonly WordMatch[];
  /** The number of records that fit the search. */
  readonly total: number;
  readonly rows: readonly StateRow[];
}

/** A record as a line of a table. */
export type StateRow = Readonly<Record<string, string | number | boolean | null>>;

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  /** The EUI of a device, or the name of a hotspot. */
  readonly name: string;
}

export interface Positions {
  /** Where devices were, the newest last. */
  readonly uplinks: readonly (Place & { readonly at: number })[];
  /** The hotspots that heard them. */
  readonly hotspots: readonly Place[];
}
