import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CallError, ClientOptions } from "../src/index.ts";
import { everyHook } from "../../../tools/testing/canary.ts";
import { createThings, errorOf, thing, type ThingsOptions } from "./things.ts";

// A caller's function that only observes never changes the result of a call.

const unhandled: unknown[] = [];
const keep = (error: unknown): void => void unhandled.push(error);
const print = vi.spyOn(console, "warn");

beforeEach(() => {
  print.mockReset();
  unhandled.length = 0;
  process.on("unhandledRejection", keep);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off("unhandledRejection", keep);
  if (unhandled.length > 0) throw new Error("an unhandled rejection");
});

const boom = new Error("no disk");
const WAYS: Readonly<Record<string, () => never>> = {
  throws: () => {
    throw boom;
  },
  "rejects at once": (() => Promise.reject(boom)) as () => never,
  "rejects later": (async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    throw boom;
  }) as () => never,
};
type Watch = (fail: () => never) => ThingsOptions;
/** Every option that only observes. One that is missing does not compile. */
const OPTIONS: Readonly<Record<Extract<keyof ClientOptions, `on${string}` | "logger">, Watch>> = {
  onDrift: (onDrift) => ({ onDrift }),
  logger: (fail) => ({ logger: { debug: fail, info: fail, warn: fail, error: fail } }),
};
/** Those, and every hook. */
const WATCHERS: Readonly<Record<string, Watch>> = {
  ...Object.fromEntries(
    Object.keys(everyHook(() => undefined)).map((hook): [string, Watch] => [
      `hooks.${hook}`,
      (fail) => ({ hooks: { [hook]: fail } }),
    ]),
  ),
  ...OPTIONS,
};

/** Creates a service whose first connection breaks, and whose next response has drifted. */
function service(): ThingsOptions {
  let count = 0;
  return {
    validation: "warn",
    fetch: async () => {
      if (count++ === 0)
        throw Object.assign(new Error("reset"), { code: "ECONNRESET", syscall: "read" });
      return Response.json([{ ...thing, name: 7 }]);
    },
  };
}

describe.each(Object.entries(WATCHERS))("%s", (name, options) => {
  test.each(Object.entries(WAYS))(
    "that %s is ignored, and its first error is printed",
    async (_way, fail) => {
      // Each test has its own function, because only the first error of a function is printed.
      const watched = { ...service(), ...options(() => fail()) };
      const things = createThings({ ...watched, ...(name !== "onDrift" && { onDrift: () => {} }) });
      expect(await things.list()).toEqual([{ ...thing, name: 7 }]);
      await things.list();
      await vi.waitFor(() =>
        expect(
          print,
          `nothing called ${name}: write its call in packages/http/src/send, or make service() of this test cause its event`,
        ).toHaveBeenCalled(),
      );
      const lines = print.mock.calls.filter(([line]) => String(line).startsWith(name));
      expect(lines).toEqual([[expect.stringContaining(`${name} threw`), boom]]);
    },
  );
});

test("a call that fails rejects with the same error with and without failing functions", async () => {
  const fetch = async (): Promise<Response> => new Response("", { status: 503 });
  const all = Object.assign({}, ...Object.values(WATCHERS).map((make) => make(WAYS["throws"]!)));
  const plain = await errorOf<CallError>(createThings({ fetch }).create({ name: "one" }));
  const watched = await errorOf<CallError>(createThings({ fetch, ...all }).create({ name: "one" }));
  expect([watched.name, watched.message, watched.outcome]).toEqual([
    plain.name,
    plain.message,
    plain.outcome,
  ]);
});
