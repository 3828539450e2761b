import type * as tables from "@fieldmesh/console-client/endpoints";
import type { CompleteImplementation } from "../../serve/serve.ts";
import type { ConsoleState } from "../state/state.ts";

/** The tables of the console. */
export type ConsoleTables = typeof tables;

/** The handlers of one resource of the console, for a state. */
export type Resource<Name extends keyof ConsoleTables> = (
  state: ConsoleState,
) => CompleteImplementation<ConsoleTables>[Name];
