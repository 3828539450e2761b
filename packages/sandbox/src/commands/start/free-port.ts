import { createServer } from "node:net";
import { UsageError } from "../command-error.ts";
import { listenFailure } from "../listen-failure.ts";
import { SANDBOX_PORT, SANDBOX_PORTS } from "../sandbox-port.ts";

/** Returns the port of the sandbox if it is free, otherwise the next free one of ten. Throws a UsageError if none is. */
export async function freeSandboxPort(host: string | undefined): Promise<number> {
  for (let port = SANDBOX_PORT; port < SANDBOX_PORT + SANDBOX_PORTS; port++)
    if (await isFree(port, host)) return port;
  throw new UsageError(
    `Ports ${SANDBOX_PORT} to ${SANDBOX_PORT + SANDBOX_PORTS - 1} are in use. Stop a sandbox that you no longer need, or choose a port with --port; --port 0 is any free one.`,
  );
}

async function isFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, host, resolve);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return false;
    throw listenFailure(error) ?? error;
  } finally {
    server.close();
  }
}
