import { isLoopback } from "@fieldmesh/core/internal";
import { lastSandbox } from "../../server/last-sandbox.ts";
import { UsageError } from "../command-error.ts";
import { SANDBOX_VARIABLE, SANDBOX_PORT } from "../sandbox-port.ts";

/** Where a running sandbox is, and who says so. */
export interface SandboxAddress {
  readonly origin: string;
  readonly token: string | undefined;
  /** For a message: what the user set. `undefined` for the sandbox that was started last. */
  readonly named: "--sandbox-url" | typeof SANDBOX_VARIABLE | undefined;
}

/** Returns the sandbox that the environment names; `undefined` if it names none. Throws a UsageError for another value. */
export function namedSandbox(
  env: Readonly<Record<string, string | undefined>>,
): SandboxAddress | undefined {
  const address = env[SANDBOX_VARIABLE];
  return address ? readAddress(address, SANDBOX_VARIABLE) : undefined;
}

/** Reads the address of a sandbox on this machine. Throws a UsageError. */
export function readAddress(text: string, named: SandboxAddress["named"]): SandboxAddress {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "http:" || url.username !== "" || url.password !== "")
    throw new UsageError(
      `${named} needs an address such as http://127.0.0.1:${SANDBOX_PORT}/#token=…, as a sandbox prints it.`,
    );
  if (!isLoopback(url.hostname))
    throw new UsageError(`${named} needs an address of this machine: 127.0.0.1 or localhost.`);
  const { origin } = url;
  // A sandbox that was started again on its port has a new token.
  const token = tokenOf(lastSandbox(undefined, origin)) ?? tokenOf(text);
  return { origin, token, named };
}

/** Returns the sandbox that was started last, of those that run. */
export function startedLast(): SandboxAddress | undefined {
  const address = lastSandbox();
  return address === undefined ? undefined : readAddress(address, undefined);
}

function tokenOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  return /^#token=([\w-]+)$/.exec(new URL(address).hash)?.[1];
}
