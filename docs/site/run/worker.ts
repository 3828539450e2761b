// Runs in a worker of the page.
import { format, inspect } from "node-inspect-extracted";
import { withoutFrames } from "../../sample-output.ts";
import { fetchFromSandboxes } from "./network.ts";

/** What the worker posts. Each line that is printed is a message, and the last message says how the run ended. */
export type RunMessage =
  | { readonly kind: "line" | "failed"; readonly text: string }
  | { readonly kind: "done" };

/** The parts of a worker that are used: the sources are checked without the types of browsers. */
interface Scope {
  postMessage(message: RunMessage): void;
  addEventListener(type: "message", listener: (event: { readonly data: string }) => void): void;
  addEventListener(
    type: "unhandledrejection",
    listener: (event: { readonly reason: unknown }) => void,
  ): void;
}

const scope = globalThis as unknown as Scope;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
const post = (message: RunMessage): void => scope.postMessage(message);
// The frames are those of the bundle.
const print = (...values: unknown[]): void =>
  post({ kind: "line", text: withoutFrames(format(...values)) });
const fail = (error: unknown): void =>
  post({ kind: "failed", text: withoutFrames(inspect(error)) });

/** Runs the sample that the page names in a message, and posts what it prints. */
export function respondToPage(
  samples: Readonly<Record<string, () => Promise<void>>>,
  createEnvironment: () => Promise<object>,
): void {
  async function run(name: string): Promise<void> {
    const process = { env: await createEnvironment() };
    Object.assign(globalThis, { fetch: fetchFromSandboxes, process });
    Object.assign(console, { log: print, warn: print, error: print });
    await samples[name]!();
    post({ kind: "done" });
  }
  scope.addEventListener("unhandledrejection", ({ reason }) => fail(reason));
  scope.addEventListener("message", ({ data }) => void run(data).catch(fail));
}
