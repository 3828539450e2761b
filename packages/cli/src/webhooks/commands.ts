import {
  sandboxCommand,
  type SandboxCommand,
  webhookCommands as shared,
} from "@fieldmesh/sandbox/internal/commands";
import type { Command } from "../command.ts";

/** The webhook commands of the sandbox's own program, below `webhooks`, and `sandbox`, which starts a sandbox. */
export const webhookCommands: readonly Command[] = [
  ...shared.map((command) => toCommand(command, `webhooks ${command.name}`, "webhooks")),
  toCommand(sandboxCommand, sandboxCommand.name, sandboxCommand.name),
];

function toCommand(
  { name: _name, examples, load, ...command }: SandboxCommand,
  path: string,
  prefix: string,
): Command {
  const [first, second, ...more] = examples;
  const withPrefix = ({ line, does }: typeof first) => ({ line: `${prefix} ${line}`, does });
  return {
    ...command,
    path,
    // The others say it themselves, because they call a sandbox or a receiver.
    ...(path === "webhooks catch-up" && { calls: "mobile" as const }),
    examples: [withPrefix(first), withPrefix(second), ...more.map(withPrefix)],
    load: async () => {
      const { run } = await load();
      return {
        run: (context, input) =>
          run({ ...context, program: "fieldmesh webhooks" }, input).catch((error: unknown) => {
            // Ctrl-C has ended the work in progress.
            if (!context.signal.aborted) throw error;
          }),
      };
    },
  };
}
