// What a sample gets for `@fieldmesh/sandbox`: in a page, nothing listens on a port.
import type { RunningSandbox, StartOptions } from "@fieldmesh/sandbox";
import { type Clock, createSandbox, type VirtualClock } from "@fieldmesh/sandbox/engine";
import { environmentOf } from "../../sample-environment.ts";
import { listen } from "./network.ts";

export * from "@fieldmesh/sandbox/engine";

const FIRST_FREE_PORT = 49_152;
let lastPort = FIRST_FREE_PORT;

/** Starts a sandbox in this worker. Its addresses have the form that they have in Node. */
export async function startSandbox<C extends Clock = VirtualClock>({
  port = lastPort++,
  host = "127.0.0.1",
  ...options
}: StartOptions<C> = {}): Promise<RunningSandbox<C>> {
  const sandbox = createSandbox(options);
  const origin = `http://${host}:${port}`;
  for (const service of [sandbox.console, sandbox.ledger, sandbox.mapper, sandbox.mobile])
    Object.assign(service, { baseUrl: origin + new URL(service.baseUrl).pathname });
  const stop = listen(origin, sandbox.console.fetch);
  const close = async (): Promise<void> => stop();
  return Object.defineProperties(sandbox, {
    port: { value: port, enumerable: true },
    origin: { value: origin, enumerable: true },
    close: { value: close, enumerable: true },
    [Symbol.asyncDispose]: { value: close },
  }) as RunningSandbox<C>;
}

/** Starts the sandbox that the samples of a page call, and returns their environment variables. */
export async function createEnvironment(): Promise<Readonly<Record<string, string>>> {
  return environmentOf(await startSandbox({ seed: 1 }));
}
