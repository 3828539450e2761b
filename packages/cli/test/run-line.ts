import { createProgram, parse, type ProgramOptions } from "../src/commands/program.ts";
import type { Context } from "../src/context.ts";

/** Runs a command line of these commands in a context. */
export async function runLine(
  words: readonly string[],
  { commands, groups = {} }: Pick<ProgramOptions, "commands"> & Partial<ProgramOptions>,
  context: Context,
): Promise<void> {
  const program = createProgram({
    version: "0",
    commands,
    groups,
    stdout: () => undefined,
    run: async (command, _globals, input) => (await command.load()).run(context, input),
  });
  await parse(program, words);
}
