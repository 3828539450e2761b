import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

/**
 * Reads what is piped or typed, to its end. The signal ends it at once, although the stream stays open. It may hold keys, so no file
 * has a part of it.
 */
export async function readStream(stream: Readable, signal: AbortSignal): Promise<Buffer> {
  const ended = new Promise<never>((_, reject) => {
    const end = (): void => {
      stream.destroy();
      reject(signal.reason);
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  return await Promise.race([buffer(stream), ended]);
}
