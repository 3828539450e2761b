import { CallError } from "../errors/call-error.ts";

/** As often as other calls are repeated. */
const MAX_READS = 3;

/** Reads a list again from its start if it broke off after its first records. Until then, the call itself has repeated its request. */
export async function readAgain<List>(
  read: () => Promise<List>,
  signal: AbortSignal | undefined,
): Promise<List> {
  for (let reads = 1; ; reads++)
    try {
      return await read();
    } catch (error) {
      if (!brokeOff(error) || reads === MAX_READS || signal?.aborted === true) throw error;
    }
}

function brokeOff(error: unknown): boolean {
  return (
    error instanceof CallError && error.outcome === "unknown" && error.recordsRead !== undefined
  );
}
