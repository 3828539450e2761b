// A fleet that moves to another network server, and its mapping files.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Secret } from "@fieldmesh/core";
import type { runPlan } from "../../src/fleet/move-fleet.ts";
import type { FleetDevice } from "../../src/fleet/move/fleet.ts";
import { runCommand, testContext, type TestContextOptions } from "../context.ts";
import { APP_EUI, eui, keyOf } from "./fleet-context.ts";

export const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");

export const APPLICATION = "52f14cd4-c6f1-4fbd-8f87-4025e1d49242";
export const [PROFILE, OTHER] = [
  "3c8f08c9-b6ee-40f9-bfde-0ff7a0b292fc",
  "9a7e5f0c-1111-4000-8000-000000000000",
];
export const CHIRPSTACK = {
  devices: { application_id: APPLICATION, device_profile_id: OTHER },
  labels: { Pumps: { device_profile_id: PROFILE } },
};
export const STACK = {
  devices: {
    lorawan_version: "1.0.0",
    lorawan_phy_version: "PHY_V1_0",
    frequency_plan_id: "EU_863_870_TTN",
  },
  labels: {
    Pumps: {
      lorawan_version: "1.0.3",
      lorawan_phy_version: "PHY_V1_0_3_REV_A",
      join_server_address: "join.example.com",
    },
  },
};

export function device(index: number, change: Partial<FleetDevice> = {}): FleetDevice {
  return {
    name: `Tank ${index}`,
    dev_eui: eui(index),
    app_eui: APP_EUI,
    app_key: new Secret(keyOf(index)),
    config_profile_id: null,
    labels: [],
    ...change,
  };
}

/** Writes the file of a fleet: an active device with labels, an inactive one without, and more. */
export function leavingFleet(more: readonly FleetDevice[] = []): string {
  return JSON.stringify({
    format: "fieldmesh-fleet",
    version: 1,
    exported_at: "2026-11-20T08:00:00.000Z",
    organization: "Northern Water Board",
    labels: [],
    devices: [device(1, { labels: ["Pumps", "North"] }), device(2, { active: false }), ...more].map(
      (each) => ({ ...each, app_key: each.app_key.reveal() }),
    ),
    integrations: [{ name: "Lake" }],
    flows: [],
  });
}

/** Returns a function that runs commands with a fleet. It returns their output and their error. */
export function runnerOf(
  env: NodeJS.ProcessEnv,
  options: Parameters<typeof runCommand>[2],
  file: string,
) {
  return async (command: typeof runPlan, changed: TestContextOptions = {}) => {
    const here = testContext({ env, ...changed });
    const failure = await runCommand(command, here, options, file).then(
      () => undefined,
      (error: Error & { exitCode?: number }) => error,
    );
    return { ...here, failure };
  };
}
