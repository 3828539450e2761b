import type { ServiceName } from "../services.ts";

/** The variable that names a running sandbox. */
export const SANDBOX_VARIABLE = "FIELDMESH_SANDBOX";

/** The addresses and keys of a running sandbox, by service, as the options of their clients. */
export type NamedServices = {
  readonly [Name in ServiceName]: { readonly baseUrl: string; readonly apiKey?: string };
};

/**
 * Asks the sandbox that `FIELDMESH_SANDBOX` names for its keys, and resolves to the addresses and keys of its services; to
 * `undefined` if the environment names none. Rejects with a {@link CommandError} if it does not respond: no other one is used.
 */
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
