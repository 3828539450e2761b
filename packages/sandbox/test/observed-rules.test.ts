import { expect, test } from "vitest";
import { services } from "../src/services.ts";

// An input that the contract accepts and running deployments reject.
const inputs: Readonly<Record<string, [call: string, input: object]>> = {
  console: ["labels.create", { name: "x".repeat(51) }],
  mapper: ["mapper.ingest", { object: { latitude: 0, longitude: 0, altitude: 0, accuracy: 0 } }],
  mobile: ["subscribers.create", { phone: "+15550100" }],
};

test.each(services.filter(({ name }) => name in inputs))(
  "the client of the $name service checks the observed rules by default if the list says so",
  async ({ name, createClient, checksObservedRules }) => {
    let sent = 0;
    const client = createClient({
      baseUrl: "https://deployment.test",
      apiKey: "sk_sandbox_1",
      fetch: async () => {
        sent++;
        return new Response(name === "mapper" ? "Success" : "{}", { status: 201 });
      },
    }) as Record<string, Record<string, (input: object) => Promise<unknown>>>;
    const [call, input] = inputs[name]!;
    const [resource, method] = call.split(".") as [string, string];
    await client[resource]![method]!(input).catch((error: unknown) => {
      expect(error).toMatchObject({ name: "InputError" });
    });
    expect(sent).toBe(checksObservedRules ? 0 : 1);
  },
);
