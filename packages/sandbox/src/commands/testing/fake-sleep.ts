import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { onTestFinished, vi } from "vitest";

/** Replaces `setTimeout` of `node:timers/promises` until the test ends, and returns its calls. */
export function fakeSleep(sleep: (signal: AbortSignal | undefined) => Promise<void>) {
  const replaced = vi
    .spyOn(timers, "setTimeout")
    .mockImplementation((_ms, value, options) => sleep(options?.signal).then(() => value as never));
  syncBuiltinESMExports();
  onTestFinished(() => {
    replaced.mockRestore();
    syncBuiltinESMExports();
  });
  return replaced.mock.calls;
}
