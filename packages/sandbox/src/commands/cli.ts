import { isFieldmeshError } from "@fieldmesh/core";
import manifest from "../../package.json" with { type: "json" };
import { CommandError } from "./command-error.ts";
import { createContext } from "./program/context.ts";
import { helpOf } from "./program/help.ts";
import { readProgram } from "./program/read-program.ts";

const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.abort());

// A reader such as head may end before everything is written.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    ended.abort();
  });

try {
  const request = readProgram(process.argv.slice(2));
  if ("command" in request && "input" in request) {
    const { run } = await request.command.load();
    await run(createContext(request, ended.signal), request.input);
  } else if (request.show === "help")
    process.stdout.write(helpOf(request.command, process.stdout.columns));
  else console.log(manifest.version);
} catch (error) {
  // Ctrl-C has ended the work in progress.
  if (ended.signal.aborted) process.exit();
  // A bug has no message for the user, and its stack may show what the user typed.
  const message = error instanceof CommandError ? error.message : `Unexpected: ${String(error)}`;
  console.error(`fieldmesh-sandbox: ${message}`);
  const { cause } = error as Error;
  if (error instanceof CommandError && isFieldmeshError(cause)) console.error(`See ${cause.docs}`);
  process.exitCode = error instanceof CommandError ? error.exitCode : 1;
}
// The delay of a fault may still run.
if (ended.signal.aborted) process.exit();
