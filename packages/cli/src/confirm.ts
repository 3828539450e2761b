import type { Context } from "./context.ts";
import { CliError, exitCodes } from "./exit-codes.ts";

/** Asks on a terminal, unless `--yes` is set. Throws a CliError if the user does not agree. */
export async function confirm({ prompt, yes }: Context, question: string): Promise<void> {
  if (yes || !prompt.isTerminal || (await prompt.confirm(question))) return;
  throw new CliError("Canceled. Nothing was changed.", exitCodes.failed);
}
