import { expect, test } from "vitest";
import { sandboxCommand, webhookCommands } from "./specs.ts";

test("each command has code of its own, which is loaded when it runs", async () => {
  const loaded = [sandboxCommand, ...webhookCommands].map(async ({ load }) => (await load()).run);
  const runs = await Promise.all(loaded);
  for (const run of runs) expect(run).toBeTypeOf("function");
  expect(new Set(runs).size).toBe(runs.length);
});
