import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../tools/packages.ts";

// The compiler of `npm run typecheck`, which is several times faster than the one in JavaScript.
const COMPILER = join(root, "node_modules", "typescript-7", "bin", "tsc");

/** Compiles files of one folder in `docs` as all of `docs`. Returns what the compiler prints: nothing if all is well. */
export function compile([first = "", ...rest]: readonly string[]): string {
  const config = join(dirname(first), "tsconfig.json");
  writeFileSync(
    config,
    JSON.stringify({ extends: "../tsconfig.json", include: [], files: [first, ...rest] }),
  );
  const { stdout, stderr } = spawnSync(process.execPath, [COMPILER, "--project", config], {
    encoding: "utf8",
  });
  rmSync(config);
  return stdout + stderr;
}
