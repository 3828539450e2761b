import { isRecord } from "@fieldmesh/core/internal";
import type { ServiceName } from "../../services.ts";
import { type NamedServices, SANDBOX_VARIABLE } from "../named-services.ts";
import { callSandbox, notASandbox } from "./controls.ts";
import { readAddress } from "./sandbox-address.ts";

/** Asks the sandbox at an address of the environment for its keys. Throws a CommandError if it does not respond. */
export async function readServices(address: string, signal: AbortSignal): Promise<NamedServices> {
  const sandbox = readAddress(address, SANDBOX_VARIABLE);
  const keys = await callSandbox(sandbox, {
    method: "POST",
    path: "/sandbox/keys",
    body: {},
    signal,
  });
  if (!isRecord(keys)) throw notASandbox();
  const { console: consoleKey, mobile: mobileKey } = keys;
  if (typeof consoleKey !== "string" || typeof mobileKey !== "string") throw notASandbox();
  const of = (name: ServiceName, apiKey?: string) => ({
    baseUrl: `${sandbox.origin}/${name}`,
    ...(apiKey !== undefined && { apiKey }),
  });
  return {
    console: of("console", consoleKey),
    ledger: of("ledger"),
    mapper: of("mapper"),
    mobile: of("mobile", mobileKey),
  };
}
