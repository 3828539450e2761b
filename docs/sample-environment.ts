import type { RunningSandbox } from "@fieldmesh/sandbox";
import type { ServiceName } from "@fieldmesh/sandbox/internal/services";
import { keyVariable, urlVariable } from "./site/curl.ts";

const SERVICES: readonly ServiceName[] = ["console", "ledger", "mapper", "mobile"];

/** Returns the environment variables of the samples, for a sandbox that they call. */
export function environmentOf(sandbox: RunningSandbox): Readonly<Record<string, string>> {
  const variables = SERVICES.flatMap((name) => {
    const part: { readonly baseUrl: string; readonly apiKey?: string } = sandbox[name];
    return [
      [urlVariable({ name }), part.baseUrl],
      [keyVariable({ name }), part.apiKey ?? ""],
    ];
  });
  return {
    ...Object.fromEntries(variables),
    WEBHOOK_SECRET: "whsec_test_secret_only",
    LEDGER_ACCOUNT: sandbox.ledger.state.chain.addresses.of(7),
  };
}
