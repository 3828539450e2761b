import { expect, test } from "vitest";
import { sandboxCommand, webhookCommands } from "./specs.ts";

// Loaded here, so that the test does not take the time that this needs.
const commands = [sandboxCommand, ...webhookCommands];
const loaded = await Promise.all(commands.map(({ load }) => load()));

test("each command has code of its own, which is loaded when it runs", () => {
  const runs = loaded.map(({ run }) => run);
  for (const run of runs) expect(run).toBeTypeOf("function");
  expect(new Set(runs).size).toBe(commands.length);
});
