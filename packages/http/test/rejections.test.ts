import { expect, test } from "vitest";
import { ResponseValidationError, withResponse, type FetchFunction } from "../src/internal.ts";
import { startScriptedTcp } from "./scripted-tcp.ts";
import { createThings, errorOf, thing } from "./things.ts";

/** Runs a function and returns the unhandled rejections during the run. */
async function uncaught(run: () => Promise<unknown>): Promise<unknown[]> {
  const caught: unknown[] = [];
  const listener = (reason: unknown): void => void caught.push(reason);
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", listener);
  try {
    await run();
    // Node reports an unhandled rejection once the microtask queue is empty.
    await new Promise((resolve) => setTimeout(resolve, 30));
  } finally {
    process.off("unhandledRejection", listener);
    for (const other of others) process.on("unhandledRejection", other);
  }
  return caught;
}

const failing: FetchFunction = async () => new Response("", { status: 500 });

test("withResponse of a call that fails causes no unhandled rejection", async () => {
  const things = createThings({ fetch: failing, retry: false });
  expect(await uncaught(() => errorOf(withResponse(things.list())))).toEqual([]);
});

test("timeouts, aborts and resets cause no unhandled rejections", async () => {
  await using hanging = await startScriptedTcp({ kind: "hang" });
  await using resetting = await startScriptedTcp({ kind: "reset" });
  const run = async (): Promise<void> => {
    await errorOf(createThings({ baseUrl: hanging.baseUrl, timeout: 20 }).list());
    await errorOf(createThings({ baseUrl: hanging.baseUrl, totalTimeout: 20 }).list());
    await errorOf(
      createThings({ baseUrl: hanging.baseUrl }).list({ signal: AbortSignal.timeout(20) }),
    );
    await errorOf(createThings({ baseUrl: resetting.baseUrl }).list());
  };
  expect(await uncaught(run)).toEqual([]);
});

test("a caller's schema that throws causes a ResponseValidationError with the outcome applied", async () => {
  const schema = {
    "~standard": {
      validate: () => {
        throw new Error("canary-value");
      },
    },
  };
  const things = createThings({ fetch: async () => Response.json(thing, { status: 201 }) });
  const error = await errorOf(things.create({ name: "one" }, { schema }));
  expect(error instanceof ResponseValidationError && error.outcome).toBe("applied");
  expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain("canary");
});
