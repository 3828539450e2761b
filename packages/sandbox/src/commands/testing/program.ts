import { PassThrough } from "node:stream";
import { onTestFinished, vi } from "vitest";
import { main } from "../main.ts";

/** How a command line ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `fieldmesh-sandbox` in this process. */
export async function run(...args: readonly string[]): Promise<Ended> {
  return await begin(args).done;
}

/** Starts a sandbox in this process, on a free port, and waits until it has printed how to use it. `stop` is Ctrl-C. */
export async function start(...args: readonly string[]) {
  const { shown, ended, done } = begin(["--port", "0", ...args]);
  const stop = (): Promise<Ended> => {
    ended.abort();
    return done;
  };
  onTestFinished(async () => void (await stop()));
  await vi.waitFor(
    () => {
      if (!shown.stdout.includes("Ctrl-C")) throw new Error(shown.stderr);
    },
    { timeout: 20_000 },
  );
  return { text: shown.stdout, stop };
}

function begin(args: readonly string[]) {
  const ended = new AbortController();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const shown = { stdout: "", stderr: "" };
  stdout.setEncoding("utf8").on("data", (text: string) => (shown.stdout += text));
  stderr.setEncoding("utf8").on("data", (text: string) => (shown.stderr += text));
  const streams = { stdout, stderr, env: process.env };
  const work = async (): Promise<Ended> => {
    const code = await main(args, streams, ended.signal);
    await Promise.all([finished(stdout), finished(stderr)]);
    return { code, ...shown };
  };
  return { ended, shown, done: work() };
}

/** Resolves when everything was read. */
function finished(stream: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    stream.once("end", resolve).end();
  });
}
