import { expect } from "vitest";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import { LeaseLostError, type BulkLease, type LeaseStore } from "../src/index.ts";
import { deviceOf } from "./model-console.ts";

export const QUICK = { chunkSize: 2, concurrency: 1, settleTime: 1, timeout: 500 } as const;
export const fleet = Array.from({ length: 6 }, (_, number) => deviceOf(number + 1));
/** The shortest lease. */
export const LEAST = 5_000;

/** A store that writes down what a run asks of it. `extends` is what it returns to `extend`. */
export function recording(
  extendsLease: () => boolean = () => true,
  store: LeaseStore = memoryStore(),
) {
  const calls: string[] = [];
  const lease: BulkLease = {
    id: "job-1",
    duration: LEAST,
    store: {
      async claim(...all) {
        calls.push("claim");
        return await store.claim(...all);
      },
      async extend(...all) {
        calls.push("extend");
        return extendsLease() && (await store.extend(...all));
      },
      async release(...all) {
        calls.push("release");
        await store.release(...all);
      },
      async forget(...all) {
        calls.push("forget");
        await store.forget(...all);
      },
    },
  };
  return { calls, lease };
}

/** Returns the LeaseLostError that a run ends with. */
export async function lossOf(run: PromiseLike<unknown>): Promise<LeaseLostError> {
  const error = await Promise.resolve(run).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LeaseLostError);
  return error as LeaseLostError;
}
