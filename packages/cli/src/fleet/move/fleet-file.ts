import type { Input } from "../../command.ts";
import type { Context } from "../../context.ts";
import { decrypt, isEncrypted } from "../files/encrypted-file.ts";
import { readPassphrase } from "../files/passphrase.ts";
import { readUserFile } from "../../files/user-file.ts";
import { readFleet, type Fleet } from "./fleet.ts";

/** Reads a fleet. Asks for the passphrase if the file is encrypted. */
export async function loadFleet(context: Context, input: Input, file: string): Promise<Fleet> {
  const content = await readUserFile(file);
  if (!isEncrypted(content)) return readFleet(file, content.toString());
  return readFleet(file, await decrypt(file, content, await readPassphrase(context, input)));
}
