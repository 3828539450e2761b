import { CommandError, type RunCommand } from "@fieldmesh/sandbox/internal";
import type { Run } from "../command.ts";
import { CliError } from "../exit-codes.ts";

/** Runs a command of the sandbox as one of this program. */
export function withContext(run: RunCommand): Run {
  return async (context, input) => {
    const { output, prompt, env, signal, reveal } = context;
    const client = (service: "mobile") => context.client(service);
    try {
      await run(
        { program: "fieldmesh webhooks", output, prompt, env, signal, reveal, client },
        input,
      );
    } catch (error) {
      // Ctrl-C has ended the work in progress.
      if (signal.aborted) return;
      if (!(error instanceof CommandError)) throw error;
      const { message, exitCode, cause } = error;
      throw new CliError(message, exitCode, { cause });
    }
  };
}
