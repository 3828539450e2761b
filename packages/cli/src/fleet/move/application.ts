import type { BulkCheckpoint, ConsoleClient } from "@fieldmesh/console-client";
import type { StateFile } from "@fieldmesh/sandbox/internal";
import type { Context } from "../../context.ts";
import type { Fleet } from "./fleet.ts";
import type { Mapping } from "./mapping.ts";

/** What must survive a kill. It contains no key. The console shows the rest of the progress. */
export interface ApplyState {
  readonly checkpoint?: BulkCheckpoint;
}

export interface Application {
  readonly context: Context;
  readonly client: ConsoleClient;
  readonly fleet: Fleet;
  readonly mapping: Mapping;
  readonly state: StateFile<ApplyState>;
  readonly settleTime: number | undefined;
}
