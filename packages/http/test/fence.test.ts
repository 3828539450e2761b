import { expect, test } from "vitest";
import {
  AbortError,
  TimeoutError,
  type CallOptions,
  type Fence,
  type FetchFunction,
} from "../src/internal.ts";
import { createThings, errorOf, thing, type ThingsOptions } from "./things.ts";

/** A fence with this time, which aborts the signal of its call instead of a request. */
function fenceOf(timeLeft: () => number) {
  const lost = new AbortController();
  const fence = { timeLeft, reject: () => lost.abort(new Error("the lease was lost")) };
  return [{ signal: lost.signal }, fence] as const;
}

/** Passes a fence after the options, as our packages do. */
function listOf(options: ThingsOptions) {
  return createThings(options).list as (given: CallOptions, fence: Fence) => Promise<unknown>;
}

test("a request without time in its lease is not sent, and its call is aborted", async () => {
  let sent = 0;
  const fetch: FetchFunction = async () => Response.json([sent++]);
  const error = await errorOf(listOf({ fetch })(...fenceOf(() => 0)));
  expect(error).toBeInstanceOf(AbortError);
  expect(error).toMatchObject({ outcome: "not_sent", cause: { message: "the lease was lost" } });
  expect(sent).toBe(0);
});

test("the lease is checked after the wait for a permit, and after the hooks", async () => {
  let sent = 0;
  let isHeld = true;
  const fetch: FetchFunction = async () => {
    sent++;
    return Response.json([thing]);
  };
  const list = listOf({
    fetch,
    rateLimit: { requests: 1, window: 1_000 },
    hooks: { onRequest: () => void (isHeld = sent === 0) },
  });
  const options = fenceOf(() => (isHeld ? 1_000 : 0));
  expect(await list(...options)).toEqual([thing]);
  expect(await errorOf(list(...options))).toBeInstanceOf(AbortError);
  expect(sent).toBe(1);
});

test("the timeout of a request is cut to the time in its lease, and its error says so", async () => {
  const fetch: FetchFunction = () => new Promise(() => undefined);
  const [{ signal }, fence] = fenceOf(() => 50);
  const list = listOf({ fetch, retry: false });
  const error = await errorOf(list({ signal, timeout: 20_000 }, fence));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ limit: "timeout", message: expect.stringContaining("50 ms") });
});
