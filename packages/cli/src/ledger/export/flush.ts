import { open } from "node:fs/promises";

/** Flushes a file to the disk, so that a power cut cannot leave a named file without its end. */
export async function flush(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync();
  await handle.close();
}
