import { expect, test } from "vitest";
import { contextOf } from "../../../test/run-context.ts";
import type { LeaseLostError } from "./lease-lost-error.ts";
import { createRun } from "./create-run.ts";
import type { PendingItem, RunState, Verb } from "./run-parts.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const failure = new Error("401");

/** The error of a run, without checkpoints, whose only request ends as `send` says. */
async function errorOf(send: Verb<PendingItem>["send"], leased = false) {
  const states: (RunState & { happened: string })[] = [];
  const store = {
    claim: async () => ({ status: "claimed", attempt: 1 }) as const,
    extend: async () => true,
    release: async () => undefined,
    forget: async () => undefined,
  };
  const lease = leased ? { id: "job-1", store, duration: 60_000 } : undefined;
  const start = {
    method: "devices.deleteMany",
    inputs: ["a"],
    options: {},
    defaults: undefined,
    checkpoint: undefined,
    total: 1,
    settings: { ...contextOf(), lease },
    readTarget: async () => {
      for (let turns = 0; turns < 5; turns++) await turn();
      return { server: "s1", organization: "o1" };
    },
  };
  const verb = {
    method: start.method,
    statuses: ["done", "failed", "unknown"],
    readInput: (_: unknown, index: number) => ({
      index,
      key: "",
      content: "",
      identity: { index },
    }),
    exclude: () => undefined,
    send,
    know: () => undefined,
    chunksAtOnce: () => 1,
    toError: (state: RunState, happened: string) => {
      states.push({ ...state, happened });
      return failure;
    },
  };
  const run = createRun(start as never, verb as unknown as Verb<PendingItem>);
  const error: unknown = await run.report().catch((thrown: unknown) => thrown);
  return { error, states };
}

test("the error of a run waits for the organization, so that it has a checkpoint", async () => {
  const { error, states } = await errorOf(() => Promise.reject(failure));
  expect(error).toBe(failure);
  expect(states).toMatchObject([
    {
      happened: "ended early because of an unexpected error; see `cause`.",
      checkpoint: { server: "s1", organization: "o1" },
      progress: { done: 0, total: 1 },
      results: { done: [], failed: [], unknown: [] },
      hasBegun: false,
    },
  ]);
});

test("the error of a lost lease waits for the organization too", async () => {
  const { error, states } = await errorOf(async (_, { announce, fence }) => {
    await announce();
    fence?.reject();
    await turn();
    throw failure;
  }, true);
  expect(states).toEqual([]);
  expect(error).toMatchObject({
    name: "LeaseLostError",
    progress: { unsettled: 0 },
    heldUntil: undefined,
    checkpoint: { server: "s1", organization: "o1" },
    results: { done: [], failed: [], unknown: [] },
  });
  expect((error as LeaseLostError).message).toContain(
    "devices.deleteMany has lost its lease, and was ended. No request is in progress.",
  );
});
