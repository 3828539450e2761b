import { isRecord } from "@fieldmesh/core/internal";
import type { ServiceName } from "../../services.ts";
import { SANDBOX_VARIABLE } from "../sandbox-port.ts";
import { callSandbox, notASandbox } from "./controls.ts";
import { readAddress } from "./sandbox-address.ts";

/** The addresses and keys of a running sandbox, by service, as the options of their clients. */
export type NamedServices = {
  readonly [Name in ServiceName]: { readonly baseUrl: string; readonly apiKey?: string };
};

/** Asks the sandbox at an address of the environment for its keys. Throws a CommandError if it does not respond. */
export async function readServices(address: string, signal: AbortSignal): Promise<NamedServices> {
  const sandbox = readAddress(address, SANDBOX_VARIABLE);
  const request = { method: "POST", path: "/sandbox/keys", body: {}, signal };
  const keys = await callSandbox(sandbox, request);
  if (!isRecord(keys)) throw notASandbox();
  const { console: consoleKey, mobile: mobileKey } = keys;
  if (typeof consoleKey !== "string" || typeof mobileKey !== "string") throw notASandbox();
  const { origin } = sandbox;
  return {
    console: { baseUrl: `${origin}/console`, apiKey: consoleKey },
    ledger: { baseUrl: `${origin}/ledger` },
    mapper: { baseUrl: `${origin}/mapper` },
    mobile: { baseUrl: `${origin}/mobile`, apiKey: mobileKey },
  };
}
