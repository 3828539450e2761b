// Keeps what must survive a kill in a file.
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";

/** Reads what the last run left, if it left anything. */
export async function loadState<State>(file: string): Promise<State | undefined> {
  return existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as State) : undefined;
}

/** Written whole, then moved: a kill leaves the old one or the new one. */
export async function saveState(file: string, state: unknown): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}
