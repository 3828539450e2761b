import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { printable } from "./printable.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { type Terminal, type Prompt, wrapFor } from "./output.ts";

/** Creates the prompt of a terminal. It asks on stderr, because stdout may be a file. */
export function createPrompt(
  { stdin, stderr }: Pick<Terminal, "stdin" | "stderr">,
  signal: AbortSignal,
): Prompt {
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true;
  return {
    isTerminal,
    async confirm(question) {
      if (!isTerminal)
        throw new CliError(
          "This command asks first, which needs a terminal. Add --yes to run it without asking.",
        );
      const reply = await ask(`${question} [y/N] `, false);
      return /^y(es)?$/i.test(reply.trim());
    },
    async secret(question, instead) {
      if (!isTerminal)
        throw new CliError(`This command asks for a secret, which needs a terminal: ${instead}.`);
      return await ask(`${question}: `, true);
    },
  };

  async function ask(named: string, isHidden: boolean): Promise<string> {
    // It may name a device.
    const question = wrapFor(stderr, printable(named));
    const output = isHidden ? nowhere() : stderr;
    // From here on, the terminal does not echo what is typed.
    const lines = createInterface({ input: stdin, output, terminal: true });
    // readline catches Ctrl-C while it asks.
    lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    if (isHidden) stderr.write(question);
    try {
      return await firstLine(lines, isHidden ? "" : question, signal);
    } finally {
      lines.close();
      if (isHidden) stderr.write("\n");
    }
  }
}

/** Ctrl-D closes the input without a line. */
function firstLine(lines: Interface, question: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    lines.once("close", () =>
      reject(new CliError("The question was not answered. Nothing was changed.", exitCodes.failed)),
    );
    lines.question(question, { signal }).then(resolve, reject);
  });
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
