import { withBase } from "vitepress";
import type { RunMessage } from "../../site/run/worker.ts";

/** Seconds. The longest sample takes a few. */
const TIME_LIMIT = 30;

/** The addresses of the bundles in memory, by file. */
const bundles = new Map<string, Promise<string>>();

/** Loads a file of samples once, and returns their address in memory, from which workers start without the network. */
export async function loadSamples(file: string): Promise<string> {
  const loading = bundles.get(file) ?? loadBundle(withBase(`/samples/${file}.js`));
  bundles.set(file, loading);
  return await loading.catch((cause: unknown) => {
    bundles.delete(file);
    throw new Error(
      "The samples could not be loaded. Check your network and run the sample again.",
      { cause },
    );
  });
}

async function loadBundle(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return URL.createObjectURL(await response.blob());
}

/**
 * Runs a sample in a worker of its own, and passes on each line that it prints. Rejects with an Error if the sample fails or
 * takes too long, and with the reason of the signal if that aborts.
 */
export async function runSample(
  url: string,
  name: string,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const worker = new Worker(url, { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const tooLong = new Error(`The sample was stopped after ${TIME_LIMIT} seconds.`);
  const timer = setTimeout(() => reject(tooLong), TIME_LIMIT * 1_000);
  signal.addEventListener("abort", () => reject(signal.reason as Error));
  worker.addEventListener("error", ({ message }) => reject(new Error(message)));
  worker.addEventListener("message", ({ data }: MessageEvent<RunMessage>) => {
    if (data.kind === "done") resolve();
    else if (data.kind === "failed") reject(new Error(data.text));
    else print(data.text);
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  worker.postMessage(name);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
