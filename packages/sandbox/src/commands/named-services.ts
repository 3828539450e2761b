import type { ServiceName } from "../services.ts";

/** The variable that names a running sandbox. */
export const SANDBOX_VARIABLE = "FIELDMESH_SANDBOX";

/** The addresses and keys of a running sandbox, by service, as the options of their clients. */
export type NamedServices = {
  readonly [Name in ServiceName]: { readonly baseUrl: string; readonly apiKey?: string };
};

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
