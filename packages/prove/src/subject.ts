import type { PoisonStore } from "@fieldmesh/webhook-types/receiver";
import type { Effect, World } from "./world.ts";

/** A receiver in a process: a function from Request to Response, and what can be read from your own database. */
export interface Subject {
  readonly receive: (request: Request) => Promise<Response>;
  /** Returns the effects that your own database shows: an event and a name for each. */
  readonly effects?: (() => Iterable<Effect> | Promise<Iterable<Effect>>) | undefined;
  /** Returns the rows of your own table that show the state of an object, for the rule "the newest state wins". */
  readonly rows?: (() => Iterable<ShownRow> | Promise<Iterable<ShownRow>>) | undefined;
  /**
   * Handles the stored events, as your nightly job does: `() => catchUp({ client: createMobileClient(world.mobile), … })`. It runs beside
   * deliveries. Stored events lack the codes that only a delivery has.
   */
  readonly catchUp?: (() => unknown) | undefined;
  /** Where your receiver sets events aside, if that is not a value of `world.survives`: what it keeps is not lost. */
  readonly poison?: Pick<PoisonStore, "list"> | undefined;
}

/** A row of your own table. */
export interface ShownRow {
  /** The id of the object that it shows. */
  readonly object: string;
  /** The `created_at` of the event that it was last written from. */
  readonly created_at: string | Date;
  /** The kind of the object, such as `sim`: the first part of its event types. @default - any, if you have one table */
  readonly family?: string | undefined;
}

/** Builds the receiver of one process: called at the start of each run, and again after each crash. */
export type Build = (
  world: World,
) => Subject["receive"] | Subject | Promise<Subject["receive"] | Subject>;
