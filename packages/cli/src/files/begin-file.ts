import { open, rename, rm, unlink } from "node:fs/promises";

/** Begins a file that is written piece by piece at `path`, and gets its name when it is complete. By default, its mode is the usual one. */
export async function beginFile(file: string, mode?: number) {
  const path = `${file}.new`;
  // A paused process that still writes to what a killed run has left cannot damage the next file of that name.
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  // Nobody else can put a link there in between.
  await (await open(path, "wx", mode)).close();
  return {
    path,
    /** Removes the file. */
    discard: (): Promise<void> => rm(path, { force: true }),
    /** Gives the file its name. `check` throws if it must not. */
    async finish(check?: () => void): Promise<void> {
      // A power cut cannot leave a named file without its end.
      const handle = await open(path, "r+");
      await handle.sync();
      await handle.close();
      check?.();
      await rename(path, file);
    },
  };
}
