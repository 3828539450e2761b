import type { NewIntegration } from "@fieldmesh/console-client";
import type { PlanFact } from "../plan/plan-lines.ts";
import type { FleetDevice, FleetFlow } from "./fleet.ts";
import type { OpenQuestion } from "./mapping.ts";

/** The differences between a fleet and a console, and the changes that remove them. Nothing is ever deleted. */
export interface Plan {
  readonly newLabels: { readonly name: string; readonly config_profile_id: string | undefined }[];
  readonly newDevices: FleetDevice[];
  readonly newIntegrations: NewIntegration[];
  readonly newFlows: NewFlow[];
  readonly labelProfiles: {
    readonly name: string;
    readonly id: string;
    readonly config_profile_id: string;
  }[];
  readonly deviceProfiles: (OnDevice & { readonly config_profile_id: string })[];
  readonly deviceLabels: (OnDevice & { readonly label: string })[];
  readonly activations: (OnDevice & { readonly active: boolean })[];
  /** Changes that no call can make. */
  readonly byHand: PlanFact[];
  /** Entries that the mapping file needs first. */
  readonly open: (OpenQuestion & { readonly why: string })[];
  /** Other things in the console. */
  readonly others: Readonly<Record<"devices" | "labels" | "integrations", number>>;
}

/** A device of the fleet, and its id in the console. */
interface OnDevice {
  readonly device: FleetDevice;
  readonly id: string;
}

export interface NewFlow {
  readonly integration: string;
  readonly to: FleetFlow["to"];
  readonly function_id: string | undefined;
}
