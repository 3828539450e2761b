import { isRecord } from "@fieldmesh/core";
import type { BulkCheckpoint, ConsoleClient } from "@fieldmesh/console-client";
import type { Context } from "../../context.ts";
import type { StateFile } from "../files/state-file.ts";
import type { Fleet } from "./fleet.ts";
import type { Mapping } from "./mapping.ts";

/** What must survive a kill. It contains no key. The console shows the rest of the progress. */
export interface ApplyState {
  readonly checkpoint?: BulkCheckpoint;
}

/** Tells whether the state of an apply is valid. */
export function isApplyState({ checkpoint }: Readonly<Record<string, unknown>>): boolean {
  return checkpoint === undefined || isRecord(checkpoint);
}

export interface Application {
  readonly context: Context;
  readonly client: ConsoleClient;
  readonly fleet: Fleet;
  readonly mapping: Mapping;
  readonly state: StateFile<ApplyState>;
  readonly settleTime: number | undefined;
}
