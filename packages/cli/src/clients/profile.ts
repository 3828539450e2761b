import type { Secret } from "@fieldmesh/core";
import type { Clients } from "../context.ts";

/** Addresses and keys by service, under one name. */
export type Profile = Readonly<Partial<Record<keyof Clients, ServiceProfile>>>;

export interface ServiceProfile {
  readonly url: string;
  readonly key?: Secret | undefined;
}

/** The profile that a command uses. */
export interface UsedProfile {
  readonly name: string;
  /** What chose it: the option, the variable, or `fieldmesh profile use`. */
  readonly chosenBy: "--profile" | "FIELDMESH_PROFILE" | "the default";
  readonly services: Profile;
}
