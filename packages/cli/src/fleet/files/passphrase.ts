import type { Context } from "../../context.ts";
import type { Input } from "../../command.ts";
import { CliError } from "../../exit-codes.ts";
import { readFirstLine } from "../../files/user-file.ts";

const VARIABLE = "FIELDMESH_PASSPHRASE";
const INSTEAD = `set ${VARIABLE} or add --passphrase-file`;

/** Reads the passphrase of an encrypted file: from `--passphrase-file`, the environment or the terminal. */
export async function readPassphrase(context: Context, { options }: Input): Promise<string> {
  const file = options["passphraseFile"];
  if (typeof file === "string") return await readFirstLine(context, file, "the passphrase");
  return context.env[VARIABLE] || (await context.prompt.secret("Passphrase", INSTEAD));
}

/** Reads the passphrase for a new file. A typed one is asked for twice. */
export async function readNewPassphrase(context: Context, input: Input): Promise<string> {
  const passphrase = await readPassphrase(context, input);
  const isTyped = input.options["passphraseFile"] === undefined && !context.env[VARIABLE];
  if (passphrase === "") throw new CliError(`A passphrase is missing: ${INSTEAD}.`);
  if (isTyped && (await context.prompt.secret("The passphrase again", INSTEAD)) !== passphrase)
    throw new CliError("The two passphrases differ. Run the command again.");
  return passphrase;
}
