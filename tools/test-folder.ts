// Runs the fast tests of the folder in which it is started: the script "tests" of each package.
import { spawnSync } from "node:child_process";
import { join, relative } from "node:path";
import { root } from "./packages.ts";

const folder = relative(root, process.cwd()).replaceAll("\\", "/");
const { status } = spawnSync(
  "vitest",
  [
    "run",
    `--project=${folder.replace("packages/", "")}*`,
    "--reporter=dot",
    `--reporter=${join(root, "tools/reporter.ts")}`,
    "--reporter=json",
    `--outputFile=${join(folder, "node_modules/.cache/tests/fast.json")}`,
  ],
  { cwd: root, stdio: "inherit", shell: process.platform === "win32" },
);
process.exit(status ?? 1);
