// MUTATED=packages/core/src/telemetry npm run mutation: changes the code of one folder, a place at a time, in a copy of the checkout, and
// shows the changes that no test of its package notices.
import { join } from "node:path";
import { root } from "../toolchain.mjs";

const folder = process.env.MUTATED;
if (!folder?.startsWith("packages/"))
  throw new Error("Set MUTATED to a folder, for example MUTATED=packages/core/src/telemetry.");

export default {
  // Named, because pnpm does not put the plugin next to the program.
  plugins: [join(root, "node_modules/@stryker-mutator/vitest-runner/dist/src/index.js")],
  testRunner: "vitest",
  vitest: { configFile: "tools/stryker/vitest.config.ts" },
  mutate: [`${folder}/**/*.ts`, "!**/*.test{,-d}.ts", "!**/{testing,generated}/**"],
  reporters: ["clear-text", "progress-append-only"],
};
