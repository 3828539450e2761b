import type { Secret } from "@fieldmesh/core";
import type { Clients } from "../context.ts";

/** Addresses and keys by service, under one name. */
export type Profile = Readonly<Partial<Record<keyof Clients, ServiceProfile>>>;

export interface ServiceProfile {
  readonly url: string;
  readonly key?: Secret | undefined;
}
