import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { decrypt, encrypt, isEncrypted } from "../files/encrypted-file.ts";
import { readNewPassphrase, readPassphrase } from "../files/passphrase.ts";
import { checkNewFile, readUserFile, writePrivateFile } from "../files/private-file.ts";
import { readFleet, writeFleet, type Fleet } from "./fleet.ts";

/** Writes a fleet with all keys, encrypted unless `--clear` is set. */
export async function saveFleet(
  context: Context,
  input: Input,
  file: string,
  read: () => Promise<Fleet>,
): Promise<Fleet> {
  checkNewFile(file, "the argument");
  // Asks before it reads the console, which is slow for a large fleet.
  const passphrase =
    input.options["clear"] === true ? undefined : await readNewPassphrase(context, input);
  const fleet = await read();
  const content = writeFleet(fleet);
  writePrivateFile(file, passphrase === undefined ? content : await encrypt(content, passphrase));
  return fleet;
}

/** Reads a fleet. Asks for the passphrase if the file is encrypted. */
export async function loadFleet(context: Context, input: Input, file: string): Promise<Fleet> {
  const content = await readUserFile(file);
  if (!isEncrypted(content)) return readFleet(file, content.toString());
  return readFleet(file, await decrypt(file, content, await readPassphrase(context, input)));
}
