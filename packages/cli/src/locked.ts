import { type Lock, withLock } from "@fieldmesh/sandbox/internal";
import type { Context } from "./context.ts";

/** Runs the work of a command while this process holds the lock of a file. The signal of its context also aborts when the lock is lost. */
export async function locked(
  context: Context,
  file: string,
  work: (context: Context, lock: Lock) => Promise<void>,
): Promise<void> {
  const { signal, output } = context;
  const run = (lock: Lock): Promise<void> => work({ ...context, signal: lock.signal }, lock);
  await withLock(file, run, { signal, note: (line) => output.note(line) });
}
