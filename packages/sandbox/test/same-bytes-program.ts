import { createHash } from "node:crypto";
import { call, sandboxWithAllState } from "../src/engine/testing/all-state.ts";

// Prints a hash of every byte of a run. same-bytes.test.ts runs it in two processes.

process.stdout.write(await hashOfRun());

/** Fills a sandbox, sends requests, and returns a hash of the responses and the state. */
async function hashOfRun(): Promise<string> {
  const { sandbox } = await sandboxWithAllState({ seed: "two processes" });
  const seen: unknown[] = [];
  for (const route of [
    "console GET /api/v1/devices",
    "console GET /api/v1/labels",
    "ledger GET /v1/accounts",
    "mobile GET /events",
  ])
    seen.push(await call(sandbox, route));
  // The duration of an attempt, and the end of an earlier device list, are real time.
  const state = JSON.stringify(sandbox.snapshot(), (name, value: unknown) =>
    name === "duration" || name === "until" ? 0 : value,
  );
  return createHash("sha256").update(JSON.stringify(seen)).update(state).digest("hex");
}
