import type { NewIntegration } from "@fieldmesh/console-client";
import type { PlanFact } from "../plan-lines.ts";
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
  readonly deviceProfiles: {
    readonly device: FleetDevice;
    readonly id: string;
    readonly config_profile_id: string;
  }[];
  readonly deviceLabels: {
    readonly device: FleetDevice;
    readonly id: string;
    readonly label: string;
  }[];
  readonly activations: {
    readonly device: FleetDevice;
    readonly id: string;
    readonly active: boolean;
  }[];
  /** Changes that no call can make. */
  readonly byHand: PlanFact[];
  /** Entries that the mapping file needs first. */
  readonly open: (OpenQuestion & { readonly why: string })[];
  /** Other things in the console. */
  readonly others: {
    readonly devices: number;
    readonly labels: number;
    readonly integrations: number;
  };
}

export interface NewFlow {
  readonly integration: string;
  readonly to: FleetFlow["to"];
  readonly function_id: string | undefined;
}
