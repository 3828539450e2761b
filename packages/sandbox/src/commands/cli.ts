import { main } from "./main.ts";

const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ended.abort());

// A reader such as head may end before everything is written.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    ended.abort();
  });

const exitCode = await main(process.argv.slice(2), process, ended.signal);
// A command whose work was done before it failed has set a code itself.
if (exitCode !== 0) process.exitCode = exitCode;
// The delay of a fault may still run.
if (ended.signal.aborted) process.exit();
