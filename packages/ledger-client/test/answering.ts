import { createLedgerClient, type LedgerClient, type LedgerClientOptions } from "../src/index.ts";

/** A client whose requests are all answered alike, without a server; it keeps the addresses that were asked. */
export function answering(
  answer: string | object,
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
      return new Response(typeof answer === "string" ? answer : JSON.stringify(answer), { status });
    },
  });
  return { client, sent };
}

/** An address that any test may use. */
export const address = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";

/** What a call rejects with; fails where it does not. */
export async function errorOf(call: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error("the call was expected to fail");
  return error as Error & Record<string, unknown>;
}
