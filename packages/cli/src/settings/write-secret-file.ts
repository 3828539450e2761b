import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file that only this user can read. It is replaced as a whole, so that a kill leaves the old one or the new one. */
export async function writeSecretFile(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await writeFileAtomic(file, Buffer.from(content), { mode: 0o600 });
}
