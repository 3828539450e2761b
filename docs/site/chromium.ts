import { spawnSync } from "node:child_process";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** Where a Chromium of this machine is. */
export function findChromium(): string {
  const path = tryFindChromium();
  if (path === undefined) throw new Error(`install Chromium: none of ${NAMES.join(", ")} is there`);
  return path;
}

/** The same, or undefined where there is none. */
export function tryFindChromium(): string | undefined {
  for (const name of NAMES) {
    const path = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
    if (path !== "") return path;
  }
  return undefined;
}
