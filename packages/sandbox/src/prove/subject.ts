import type { Effect, World } from "./world.ts";

/** A receiver in a process: a function from Request to Response, and what can be read from your own database. */
export interface Subject {
  readonly receive: (request: Request) => Promise<Response>;
  /** Returns the effects that your own database shows: an event and a name for each. */
  readonly effects?: (() => Iterable<Effect> | Promise<Iterable<Effect>>) | undefined;
}

/** Builds the receiver of one process: called at the start of each run, and again after each crash. */
export type Build = (
  world: World,
) => Subject["receive"] | Subject | Promise<Subject["receive"] | Subject>;
