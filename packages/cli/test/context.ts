import { Readable } from "node:stream";
import type { Clock } from "@fieldmesh/core";
import type { Sandbox } from "@fieldmesh/sandbox";
import type { Input, Run } from "../src/command.ts";
import type { Context } from "../src/context.ts";
import { createContext } from "../src/clients/create-context.ts";
import { CliError } from "../src/exit-codes.ts";
import { createOutput } from "../src/output/create-output.ts";
import { readProfile } from "../src/settings/profiles.ts";
import type { Sink } from "../src/output/output.ts";

export interface TestContextOptions {
  /** All clients use it, in this process. */
  readonly sandbox?: Sandbox<Clock>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly reveal?: boolean;
  readonly yes?: boolean;
  /** A sandbox of this command only, as with `--sandbox`. */
  readonly trial?: boolean;
  readonly observedRules?: boolean;
  /** stdout and stderr are terminals, of 120 columns unless `columns` says otherwise. */
  readonly terminal?: boolean;
  readonly columns?: number;
  /** What the user types at each question, in order. If omitted, the command cannot ask questions. */
  readonly answers?: readonly (boolean | string)[];
  /** What a command reads for the file `-`. */
  readonly stdin?: string;
  readonly signal?: AbortSignal;
}

/** A context that records what is printed. */
export interface TestContext extends Context {
  /** The lines of stdout so far. */
  readonly stdout: readonly string[];
  /** The lines of stderr so far. */
  readonly stderr: readonly string[];
  /** The questions of the command, in order. */
  readonly questions: readonly string[];
}

/** Creates a context for a test with the real output. */
export function testContext(options: TestContextOptions = {}): TestContext {
  const { sandbox, env = {}, json = false, quiet = false, reveal = false, yes = false } = options;
  const stdout = recordLines(options);
  const stderr = recordLines(options);
  const questions: string[] = [];
  const answers = [...(options.answers ?? [])];
  const answer = (question: string, instead: string): boolean | string => {
    questions.push(question);
    const next = answers.shift();
    if (next === undefined)
      throw new CliError(`This command asks for a secret, which needs a terminal: ${instead}.`);
    return next;
  };
  const context = createContext({
    output: createOutput({ stdout: stdout.sink, stderr: stderr.sink, env, json, quiet, reveal }),
    prompt: {
      isTerminal: options.answers !== undefined,
      confirm: async (question) => answer(question, "add --yes") === true,
      secret: async (question, instead) => String(answer(question, instead)),
    },
    stdin: Readable.from([options.stdin ?? ""]),
    env,
    signal: options.signal ?? new AbortController().signal,
    reveal,
    yes,
    isTrial: options.trial ?? false,
    ...(options.observedRules === false && { observedRules: false }),
    // A test has its own config file, and never reads that of the user who runs it.
    profile: async () => (env["FIELDMESH_CONFIG"] ? await readProfile(env, undefined) : undefined),
    sandbox: sandbox && (async () => sandbox),
  });
  return Object.assign(context, { stdout: stdout.lines, stderr: stderr.lines, questions });
}

/** Runs a command as the program does, with the arguments and options of a command line. */
export async function runCommand(
  run: Run,
  context: Context,
  options: Input["options"] = {},
  ...args: Input["arguments"]
): Promise<void> {
  await run(context, { arguments: args, options });
}

function recordLines({ terminal: isTTY = false, columns = 120 }: TestContextOptions): {
  readonly lines: string[];
  readonly sink: Sink;
} {
  const lines: string[] = [];
  let rest = "";
  const write: Sink["write"] = (text, written) => {
    const [last = "", ...whole] = (rest + text).split("\n").toReversed();
    lines.push(...whole.toReversed());
    rest = last;
    written();
  };
  return { lines, sink: { isTTY, columns, write } };
}
