// Consoles, files and fleets for the tests of the commands that move devices.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@fieldmesh/core";
import { createSandbox, systemClock, type Sandbox, type SandboxOptions } from "@fieldmesh/sandbox";
import { onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../../tools/testing/temporary-folder.ts";

/** Creates a console that contains only its organization. */
export function emptyConsole(options: Partial<SandboxOptions<Clock>> = {}): Sandbox<Clock> {
  return createSandbox<Clock>({
    clock: systemClock,
    logSize: 100_000,
    ...options,
    console: {
      data: "empty",
      requestsPerMinute: 1_000_000,
      uplinkInterval: Infinity,
      ...options.console,
    },
  });
}

/** The time after which no request of an earlier run is at work, whatever its time limit was. */
export const LATER = 300_000;

/** Sets the clock of this test forward, so that a run does not wait for the requests of an earlier one. */
export function letTimePass(): void {
  const now = Date.now;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + LATER);
  onTestFinished(() => clock.mockRestore());
}

/** Creates a folder that is removed after the test. */
export function folder() {
  const path = temporaryFolder(onTestFinished);
  return {
    at: (name: string) => join(path, name),
    write(name: string, content: string): string {
      writeFileSync(join(path, name), content);
      return join(path, name);
    },
    read: (name: string) => readFileSync(join(path, name), "utf8"),
    modeOf: (name: string) => (statSync(join(path, name)).mode & 0o777).toString(8),
    names: () => readdirSync(path).toSorted(),
  };
}

export const eui = (index: number): string =>
  `0004A30B${index.toString(16).toUpperCase().padStart(8, "0")}`;

/** Returns the key of a device. */
export const keyOf = (index: number): string =>
  `5EC2E7${index.toString(16).toUpperCase().padStart(26, "0")}`;

export const APP_EUI = "70B3D57ED0010001";

/** Returns a CSV file of devices. Every third one has a label. */
export function inventory(count: number): string {
  let rows = "name,dev_eui,app_eui,app_key,label\n";
  for (let index = 0; index < count; index++)
    rows += `Tank ${index},${eui(index)},${APP_EUI},${keyOf(index)},${index % 3 === 0 ? "Pumps" : ""}\n`;
  return rows;
}

/** Returns the requests that change something. */
export function writes({ log }: Sandbox<Clock>): number {
  return log.requests().filter(({ method }) => method !== "GET").length;
}

export const held = ({ console: { state } }: Sandbox<Clock>) => [...state.devices.values()];

export async function errorOf(run: Promise<unknown>): Promise<Error & { exitCode?: number }> {
  return await run.then(
    () => {
      throw new Error("It did not fail.");
    },
    (error: unknown) => error as Error,
  );
}
