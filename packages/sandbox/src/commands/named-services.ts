import type { ServiceName } from "../services.ts";

/** The variable that names a running sandbox. */
export const SANDBOX_VARIABLE = "FIELDMESH_SANDBOX";

/** The addresses and keys of a running sandbox, by service, as the options of their clients. */
export type NamedServices = {
  readonly [Name in ServiceName]: { readonly baseUrl: string; readonly apiKey?: string };
};

/**
 * Asks the sandbox that `FIELDMESH_SANDBOX` names for its keys, and resolves to the addresses and keys of its services.
 * Resolves to `undefined` if the environment names no sandbox.
 *
 * Rejects with a {@link CommandError} if the sandbox does not respond. It never uses another one instead.
 *
 * @example
 * ```ts
 * const services = await readNamedServices(process.env, AbortSignal.timeout(5_000));
 * if (services !== undefined) console.log(services.console.baseUrl); // http://127.0.0.1:14010/console
 * ```
 */
export async function readNamedServices(
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<NamedServices | undefined> {
  if (!nameIn(env)) return undefined;
  // Loaded only where it is needed, because most environments name no sandbox.
  const { readServices } = await import("./webhooks/read-services.ts");
  return readServices(env, signal);
}

function nameIn(env: Readonly<Record<string, string | undefined>>): string | undefined {
  try {
    const name: unknown = env[SANDBOX_VARIABLE];
    if (name === undefined || typeof name === "string") return name;
  } catch {
    // A getter or a proxy may throw anything.
  }
  throw new TypeError("readNamedServices requires an environment of strings, such as process.env.");
}
