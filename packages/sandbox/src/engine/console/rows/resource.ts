import type * as tables from "@fieldmesh/console-client/endpoints";
import type { CompleteImplementation } from "../../serve/serve.ts";
import type { ConsoleState } from "../state/state.ts";

/** The handlers of one resource of the console, for a state. */
export type Resource<Name extends keyof typeof tables> = (
  state: ConsoleState,
) => CompleteImplementation<typeof tables>[Name];
