import { open, unlink } from "node:fs/promises";

/** Flushes a file to the disk, so that a power cut cannot leave a named file without its end. */
export async function flush(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync();
  await handle.close();
}

/** Removes a file that a killed run has left. A paused process that still writes to it cannot damage the next file of that name. */
export async function clear(file: string): Promise<void> {
  await unlink(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}
