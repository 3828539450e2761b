import { canaries } from "../../../tools/canaries/canaries.ts";
import {
  createConsoleClient,
  type ConsoleClient,
  type ConsoleClientOptions,
} from "../src/index.ts";

/** A request that a client sent. */
export interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly body: unknown;
}

/** Creates a client, without a server, whose requests all receive the same response. `sent` records the requests. */
export function answering(
  answer: unknown,
  { status = 200, contentType }: { status?: number; contentType?: string } = {},
  options: Partial<ConsoleClientOptions> = {},
): { client: ConsoleClient; sent: Sent[] } {
  const sent: Sent[] = [];
  const client = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: canaries.apiKey,
    retry: false,
    ...options,
    fetch: async (url, { method, body }) => {
      sent.push({
        method,
        url: new URL(url),
        body: body === undefined ? undefined : JSON.parse(body),
      });
      // Bytes, because a Response made of a string has a content-type, which the console often does not send.
      const bytes = new TextEncoder().encode(
        typeof answer === "string" ? answer : JSON.stringify(answer),
      );
      return new Response(bytes, {
        status,
        ...(contentType !== undefined && { headers: { "content-type": contentType } }),
      });
    },
  });
  return { client, sent };
}

/** Ids that any test may use. */
export const ids = {
  device: "d2f0c5b1-6c0d-4f7e-8d39-51d1a2b3c4d5",
  label: "5f2d6f0e-3b7a-4c4a-8d55-0a1b2c3d4e5f",
  integration: "0f5c2b8e-17b9-4c52-9d0a-8a5d3f6b7c81",
} as const;

/** EUIs and a key that any test may use, in lower case. */
export const euis = {
  dev_eui: "0004a30b001c0530",
  app_eui: "70b3d57ed0000001",
  app_key: "2b7e151628aed2a6abf7158809cf4f3c",
} as const;

/** Returns the error that a call rejects with. Throws if the call resolves. */
export async function errorOf(call: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error("the call was expected to fail");
  return error as Error & Record<string, unknown>;
}
