import {
  sandboxCommand,
  type SandboxCommand,
  webhookCommands as shared,
} from "@fieldmesh/sandbox/internal";
import type { Command } from "../command.ts";

/** The webhook commands of the sandbox's own program, below `webhooks`, and `sandbox`, which starts a sandbox. */
export const webhookCommands: readonly Command[] = [
  ...shared.map((command) => toCommand(command, `webhooks ${command.name}`, "webhooks")),
  toCommand(sandboxCommand, sandboxCommand.name, sandboxCommand.name),
];

function toCommand(
  { summary, description, arguments: words, options, examples, load }: SandboxCommand,
  path: string,
  prefix: string,
): Command {
  const [first, second, ...more] = examples;
  const withPrefix = ({ line, does }: typeof first) => ({ line: `${prefix} ${line}`, does });
  return {
    summary,
    ...(description !== undefined && { description }),
    ...(words !== undefined && { arguments: words }),
    ...(options !== undefined && { options }),
    path,
    examples: [withPrefix(first), withPrefix(second), ...more.map(withPrefix)],
    load: async () => {
      const [{ run }, { withContext }] = await Promise.all([load(), import("./with-context.ts")]);
      return { run: withContext(run) };
    },
  };
}
