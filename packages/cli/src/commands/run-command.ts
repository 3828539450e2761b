import type { Command, Input } from "../command.ts";
import { createContext } from "../clients/create-context.ts";
import { confirm } from "../confirm.ts";
import { CliError } from "../exit-codes.ts";
import type { Globals } from "./global-options.ts";
import type { Terminal } from "../output/output.ts";
import { createOutput } from "../output/create-output.ts";
import { sayWhere } from "../output/say-where.ts";
import { createPrompt } from "../output/create-prompt.ts";
import { readProfile } from "../settings/profiles.ts";

/** Runs a command for the user at a terminal. */
export async function runCommand(
  command: Command,
  globals: Globals,
  input: Input,
  { stdin, stdout, stderr, env, signal }: Terminal & { readonly signal: AbortSignal },
): Promise<void> {
  const { json = false, quiet = false, reveal = false, yes = false, sandbox = false } = globals;
  const prompt = createPrompt({ stdin, stderr }, signal);
  const isConfirmed = yes || sandbox;
  const context = createContext({
    output: createOutput({ stdout, stderr, env, json, quiet, reveal }),
    prompt,
    stdin,
    env,
    signal,
    reveal,
    yes: isConfirmed,
    isTrial: sandbox,
    observedRules: globals.observedRules ?? true,
    profile: () => readProfile(env, globals.profile),
    isProfileNamed: globals.profile !== undefined,
    sandbox: sandbox ? () => startOwnSandbox(command) : undefined,
  });
  const { run } = await command.load();
  if (command.needsYes && !isConfirmed && !prompt.isTerminal)
    throw new CliError(
      `Nothing was sent: "fieldmesh ${command.path}" asks first, which needs a terminal. Add --yes to run it without asking.`,
    );
  const service = typeof command.calls === "function" ? command.calls(input) : command.calls;
  // A log of a script has the address of what it changes, and a pipe of a terminal nothing else.
  const isSaid = stderr.isTTY === true || (changes(command) && !sandbox);
  if (service !== undefined && isSaid) {
    const [source] = await context.sources(service);
    const address = sandbox ? "a sandbox of this command" : await context.address(service);
    sayWhere(context, service, address, source);
  }
  if (command.writes) await confirm(context, questionOf(command, input));
  await run(context, input);
}

function changes({ writes = false, needsYes = false }: Command): boolean {
  return writes || needsYes;
}

/** Such as `Delete a label (labelId: 5f2d6f0e-…)?`. An option never has a secret. */
function questionOf({ summary }: Command, { arguments: args, options }: Input): string {
  // An argument may have come from an option, which names it.
  const given = Object.entries(options).map(([name, value]) => `${name}: ${String(value)}`);
  const values = new Set(Object.values(options));
  const what = [...args.filter((each) => !values.has(each)), ...given]
    .filter((each) => each !== undefined)
    .join(", ");
  return what === "" ? `${summary}?` : `${summary} (${what})?`;
}

/** Starts a sandbox in this process, without a port. It ends with the process. */
async function startOwnSandbox({ startsEmpty = false }: Command) {
  const { createSandbox } = await import("@fieldmesh/sandbox");
  const { systemClock } = await import("@fieldmesh/core");
  return createSandbox({
    clock: systemClock,
    console: { data: startsEmpty ? "empty" : "fleet" },
  });
}
