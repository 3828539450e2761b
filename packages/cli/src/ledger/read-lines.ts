import { createReadStream } from "node:fs";

/**
 * Reads the complete lines of a file, some at a time, because a string cannot have more than 512 MB. What follows the last line break
 * was cut off by a kill.
 */
export async function* readLines(
  file: string,
  options: { readonly end?: number; readonly signal?: AbortSignal } = {},
): AsyncGenerator<string[]> {
  let rest = "";
  // readline would also split at U+2028, which JSON does not escape.
  for await (const chunk of createReadStream(file, { ...options, encoding: "utf8" })) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield lines;
  }
}
