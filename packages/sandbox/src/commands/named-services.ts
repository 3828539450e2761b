import { SANDBOX_VARIABLE } from "./sandbox-port.ts";
import type { NamedServices } from "./webhooks/read-services.ts";

/** Asks the sandbox of `FIELDMESH_SANDBOX` for its services; `undefined` if none is named. Rejects if it does not respond. */
export async function readNamedServices(
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<NamedServices | undefined> {
  const address = env[SANDBOX_VARIABLE];
  if (!address) return undefined;
  // Loaded only where it is needed, because most environments name no sandbox.
  const { readServices } = await import("./webhooks/read-services.ts");
  return readServices(address, signal);
}
