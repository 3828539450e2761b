import { globSync } from "node:fs";
import { join } from "node:path";

/** Returns the path of a Chromium that is installed, or `undefined`. */
export function findChromium(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":");
  const names = "{chromium,chromium-browser,google-chrome}";
  return globSync(folders.map((folder) => join(folder, names)))[0];
}
