// Why it is so: docs/decisions/43-damage-is-named-not-repaired.md
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import type { Decisions, Doubt } from "./csv/doubts.ts";
import { listOption, textOption } from "./options.ts";

/** Reads a file by what the command line decides, and again if it leaves a question. */
export async function readDecided<Read extends { readonly doubts: readonly Doubt[] }>(
  context: Context,
  input: Input,
  read: (decisions: Decisions) => Promise<Read>,
): Promise<Read> {
  const typed: Decisions = { map: listOption(input, "map"), euis: textOption(input, "euis") };
  const first = await read(typed);
  return first.doubts.length === 0 ? first : read(await decideAll(context, first.doubts, typed));
}

/**
 * Asks what only the user knows about the columns of a file, and returns all decisions. Where nobody can be asked, throws a CliError with
 * the options that decide. `--yes` agrees to what a command does, and not to a guess.
 */
async function decideAll(
  { prompt, yes }: Context,
  doubts: readonly Doubt[],
  { map = [], euis }: Decisions,
): Promise<Decisions> {
  const asks = !yes && prompt.isTerminal;
  const all = (part: (doubt: Doubt) => string): string => doubts.map(part).join(" ");
  if (!asks && doubts.length > 0)
    throw new CliError(all(({ found, advice }) => `${found} Nothing was sent. ${advice}`));
  for (const { found, question, advice } of doubts)
    if (!(await prompt.confirm(`${found} ${question}`)))
      throw new CliError(`Canceled. Nothing was changed. ${advice}`, exitCodes.failed);
  const agreed = doubts.map((doubt) => doubt.agreed);
  return {
    map: [...map, ...agreed.flatMap((each) => each.map ?? [])],
    euis: agreed.find((each) => each.euis !== undefined)?.euis ?? euis,
  };
}
