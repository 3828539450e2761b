import { open, rename, unlink } from "node:fs/promises";

/** A file that is written piece by piece beside its place. */
export interface BegunFile {
  /** Where to write. */
  readonly path: string;
  /** Gives the file its name, once it is complete on the disk. `check` throws if it must not. */
  finish(check?: () => void): Promise<void>;
}

/** Begins a file that gets its name when it is complete. */
export async function beginFile(file: string): Promise<BegunFile> {
  const path = `${file}.new`;
  // A paused process that still writes to what a killed run has left cannot damage the next file of that name.
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  return {
    path,
    async finish(check) {
      // A power cut cannot leave a named file without its end.
      const handle = await open(path, "r+");
      await handle.sync();
      await handle.close();
      check?.();
      await rename(path, file);
    },
  };
}
