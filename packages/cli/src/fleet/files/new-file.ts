import { createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Context } from "../../context.ts";
import { beginFile } from "../../files/begin-file.ts";
import { checkNewFile, ONLY_THIS_USER, whyNotWritten } from "../../files/user-file.ts";
import { locked } from "../../locked.ts";
import { encrypt } from "./encrypted-file.ts";

/** The characters that are written at once. */
const BLOCK = 65_536;

/** Writes pieces of a file to their place, encrypted if there is a passphrase. It may be called again after an error of the pieces. */
export type Write = (pieces: Pieces, passphrase?: string) => Promise<void>;
export type Pieces = AsyncIterable<string> | Iterable<string>;

/**
 * Lets one process write a new file of any size. The file has its name when it is complete, and nothing is left of one that is not.
 * Only this user can read it. `option` is how the user named it.
 */
export async function writeNewFile(
  context: Context,
  file: string,
  option: string,
  work: (context: Context, write: Write) => Promise<void>,
): Promise<void> {
  try {
    await locked(context, file, async (held, lock) => {
      checkNewFile(file, option);
      await work(held, async (pieces, passphrase) => {
        const blocks = inBlocks(pieces);
        const content = passphrase === undefined ? blocks : encrypt(blocks, passphrase);
        await writeWhole(file, content, () => {
          lock.check();
          checkNewFile(file, option);
        });
      });
    });
  } catch (error) {
    throw whyNotWritten(file, error);
  }
}

/** Says which file will have keys. Before it is there, because a stopped command says nothing more. */
export function noteKeys({ output }: Context, file: string): void {
  output.note(`${file} will have the keys of its devices unencrypted. Protect it.`);
}

/** Writes a file that has its name when it is complete, unless `check` throws. Nothing is left of one that is not. */
export async function writeWhole(
  file: string,
  content: AsyncIterable<Uint8Array | string>,
  check?: () => void,
): Promise<void> {
  const begun = await beginFile(file, ONLY_THIS_USER);
  try {
    await pipeline(content, createWriteStream(begun.path, { flags: "r+" }));
    await begun.finish(check);
  } finally {
    await begun.discard();
  }
}

/**
 * Prints pieces when all of them are there, so that a program that reads them receives a whole list or nothing. Until then, they are
 * in a file without a name, which no other process can open and which ends with this one.
 */
export async function printWhole({ output }: Context, collect: (write: Write) => Promise<void>) {
  const path = join(tmpdir(), `fieldmesh-${randomUUID()}`);
  const file = await open(path, "wx+", ONLY_THIS_USER);
  try {
    await rm(path);
    await collect(async (pieces) => {
      await file.truncate();
      let at = 0;
      for await (const block of inBlocks(pieces))
        at += (await file.write(block, 0, block.length, at)).bytesWritten;
    });
    let rest = "";
    for await (const part of file.createReadStream({ start: 0, encoding: "utf8" })) {
      const lines = rest + String(part);
      const end = lines.lastIndexOf("\n");
      rest = lines.slice(end + 1);
      if (end >= 0) await output.file(lines.slice(0, end));
    }
  } finally {
    await file.close();
  }
}

async function* inBlocks(pieces: Pieces): AsyncGenerator<Buffer> {
  let block = "";
  for await (const piece of pieces) {
    block += piece;
    if (block.length < BLOCK) continue;
    yield Buffer.from(block);
    block = "";
  }
  if (block !== "") yield Buffer.from(block);
}
