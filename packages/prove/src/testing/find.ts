import { expect } from "vitest";
import { ProofError } from "../proof-error.ts";
import { proveReceiver } from "../prove-receiver.ts";
import type { Build } from "../subject.ts";

export const events = ["sim.activated", "sim.suspended"] as const;

/** Returns what a search finds wrong with a receiver. */
export async function find(build: Build, seed: number, runs: number): Promise<ProofError> {
  const error: unknown = await proveReceiver(build, { events, seed, runs }).catch(
    (thrown: unknown) => thrown,
  );
  if (error instanceof ProofError) return error;
  throw new Error("nothing was found", { cause: error });
}

/** Fails if searches with one seed differ. */
export async function expectSameResult(build: Build, searches: number): Promise<void> {
  const messages = new Set<string>();
  for (let round = 0; round < searches; round++) messages.add((await find(build, 3, 100)).message);
  expect([...messages]).toHaveLength(1);
}
