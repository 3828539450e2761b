import { createLedgerClient, type LedgerClient, type LedgerClientOptions } from "../src/index.ts";

/** Creates a client whose requests all receive the same response, without a server. It records the requested URLs. */
export function clientOf(
  body: string | object,
  { status = 200 }: { status?: number } = {},
  options: Partial<LedgerClientOptions> = {},
): { client: LedgerClient; sent: URL[] } {
  const sent: URL[] = [];
  const client = createLedgerClient({
    baseUrl: "https://ledger.test",
    retry: false,
    ...options,
    fetch: async (url) => {
      sent.push(new URL(url));
      return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
    },
  });
  return { client, sent };
}

/** An address for any test. */
export const address = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";

/** Returns the error that a call rejects with, and throws if the call succeeds. */
export async function errorOf(call: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error("the call was expected to fail");
  return error as Error & Record<string, unknown>;
}
