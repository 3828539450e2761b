import type { NewIntegration } from "@fieldmesh/console-client";
import type { PlanFact } from "../plan-lines.ts";
import type { FleetDevice, FleetFlow } from "./fleet.ts";
import type { OpenQuestion } from "./mapping.ts";

/** How a fleet differs from a console, and what makes them alike. Nothing is ever deleted. */
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
  /** What no call can do. */
  readonly byHand: PlanFact[];
  /** What a mapping file has to say first. */
  readonly open: (OpenQuestion & { readonly why: string })[];
  /** What the console holds beside the fleet. */
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
