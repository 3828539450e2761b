import {
  aFunction,
  anything,
  aSignal,
  check,
  describeValue,
  hasMethod,
  memberOf,
  mistake,
  options,
  readStamp,
  wholeNumber,
  withMethods,
} from "@fieldmesh/core/internal";
import type { EventParser, ValidationOptions } from "@fieldmesh/webhook-types/parse";
import type { HandleEventOptions } from "@fieldmesh/webhook-types/receiver";
import type { PagerOptions } from "@fieldmesh/http";
import type { Events } from "../events.ts";
import type { CatchUpCheckpoint } from "./checkpoint.ts";
import type { CatchUpReport } from "./totals.ts";
import type { DeliveryOnly } from "./waiting.ts";

/** Options of {@link catchUp}. Its `clock` also says what time it is: a `created_at` more than 5 minutes later is wrong. */
export interface CatchUpOptions extends HandleEventOptions, ValidationOptions {
  /** A client, or an object with its events. */
  readonly client: {
    /** The events of the client. */
    readonly events: Events;
  };
  /**
   * The first run skips the events that were created before this time. A string without a zone is UTC. If the receiver has handled
   * events, never pass a time before now minus `store.remembers`: an event that was delivered before that is handled again. A later
   * run continues where its checkpoint ends, whatever `since` is, and throws if the list has no order and the first `since` is no
   * longer within that time: then pass a later one.
   */
  readonly since: Date | string;
  /** Parameters of the list that the published spec does not list, such as a time filter of your deployment. */
  readonly query?: PagerOptions["query"];
  /** Parses one event, for example a parser from `createEventParser`. @default parseEvent, with the source "store" */
  readonly parse?: EventParser<object> | undefined;
  /** The number of events that are handled in parallel. @default 1 */
  readonly concurrency?: number | undefined;
  /** Receives the outcome of each event. */
  readonly onOutcome?: ((report: CatchUpReport) => void) | undefined;
  /** Ends the run. Events in progress are finished, and no other event is started. */
  readonly signal?: AbortSignal | undefined;
  /**
   * What `onCheckpoint` of the last complete run received. Only what is new is read then, and the events that were left open.
   *
   * @default none: the whole list is read
   */
  readonly checkpoint?: CatchUpCheckpoint | undefined;
  /** Receives the checkpoint of a complete run, before `catchUp` resolves. Store it for the next run. */
  readonly onCheckpoint?: ((checkpoint: CatchUpCheckpoint) => void | Promise<void>) | undefined;
  /**
   * How many milliseconds before the newest event of the last run a list that is newest first is read again. An event may be
   * listed that much later than others. In an ordered list, a longer step back in time means that the order has changed.
   *
   * @default 172_800_000, 48 hours, in which a service delivers an event again (observed)
   */
  readonly overlap?: number | undefined;
  /**
   * How many milliseconds after `created_at` the service may still deliver an event. Until then, an event of which only the
   * delivery carries a code or a recipient waits: `cpni.verification.requested` and `psim_order.*`. Afterwards, it is handled as it
   * was stored, also if a newer event of its object was. An event that cannot be parsed is then given up.
   *
   * @default 259_200_000, 72 hours, because retries end after about 46 (observed)
   */
  readonly deliveriesEnd?: number | undefined;
  /**
   * More types that wait for their delivery. Name them if your endpoint names them too, because it then receives the activation
   * code of a SIM. An endpoint on `*` does not.
   *
   * @default none
   */
  readonly deliveryOnly?: readonly DeliveryOnly[] | undefined;
}

/** Reads the options of `catchUp`. */
export const readOptions = /* @__PURE__ */ options<CatchUpOptions>("catchUp", {
  client: {
    required: /* @__PURE__ */ check("a client, such as createMobileClient({ … })", (value) =>
      hasMethod(memberOf(value, "events"), "list"),
    ),
  },
  since: { required: aTime },
  // Checked by handleEvent and the parser.
  router: { required: anything },
  store: { required: anything },
  order: anything,
  tenant: anything,
  lease: anything,
  clock: /* @__PURE__ */ withMethods("a clock, such as that of a sandbox", "now"),
  poison: anything,
  validation: anything,
  onDrift: anything,
  query: anything,
  parse: aFunction,
  concurrency: /* @__PURE__ */ wholeNumber(1),
  onOutcome: aFunction,
  signal: aSignal,
  checkpoint: anything,
  onCheckpoint: aFunction,
  overlap: /* @__PURE__ */ wholeNumber(0),
  deliveriesEnd: /* @__PURE__ */ wholeNumber(0, 31_536_000_000),
  deliveryOnly: /* @__PURE__ */ check(
    `a list of "sim.provisioned", "sim.activated" and "sim.swapped"`,
    (value) => Array.isArray(value) && value.every((type) => WAITING.has(type)),
  ),
});

function aTime(value: unknown, name: string): Date | string {
  const read = readStamp(value);
  if ("time" in read) return value as Date | string;
  const what = typeof value === "string" ? read.why : `is ${describeValue(value)}`;
  throw mistake(`${name} must be a Date, or an ISO 8601 string; it ${what}.`);
}

const WAITING: ReadonlySet<unknown> = /* @__PURE__ */ new Set<DeliveryOnly>([
  "sim.provisioned",
  "sim.activated",
  "sim.swapped",
]);
