import { createReadStream } from "node:fs";

/**
 * Reads the complete lines of a file, some at a time, because a string cannot have more than 512 MB. What follows the last line break
 * was cut off by a kill.
 */
export async function* readLines(
  file: string,
  options: { readonly end?: number; readonly signal?: AbortSignal } = {},
): AsyncGenerator<string[]> {
  yield* splitLines(createReadStream(file, options));
}

/** Yields complete lines, some at a time, and returns what follows the last line break. */
export async function* splitLines(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<string[], string> {
  const decoder = new TextDecoder();
  let rest = "";
  // readline would also split at U+2028, which JSON does not escape, and never ends if its input fails.
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield lines;
  }
  return rest;
}
