import { test } from "vitest";
import { proveReceiver } from "./prove-receiver.ts";
import { correct } from "./testing/correct.ts";
import { events } from "./testing/parts.ts";

const MINUTE = 60_000;
// The release tier runs more of them.
const RUNS = process.env["LONG_TESTS"] === "yes" ? 200 : 20;

for (const [name, build] of Object.entries(correct))
  test(`finds nothing wrong with ${name}`, { timeout: 2 * MINUTE }, async () => {
    await proveReceiver(build, { events, seed: 2, runs: RUNS });
  });
