import type { ConsoleClient } from "@fieldmesh/console-client";
import type { Context } from "../../context.ts";
import type { ApplyState } from "./apply-state.ts";
import type { Fleet } from "./fleet.ts";
import type { Mapping } from "./mapping.ts";

export interface Application {
  readonly context: Context;
  readonly client: ConsoleClient;
  readonly fleet: Fleet;
  readonly mapping: Mapping;
  readonly state: ApplyState;
  readonly settleTime: number | undefined;
}
