import { expect, test } from "vitest";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { createConsoleClient, isApiError } from "../src/index.ts";

/** A 404 of which no byte of the body arrives. */
const console = createConsoleClient({
  baseUrl: "https://console.test",
  apiKey: canaries.apiKey,
  fetch: async () => {
    const start = (controller: ReadableStreamDefaultController): void =>
      controller.error(new TypeError("terminated"));
    return new Response(new ReadableStream({ start }), { status: 404 });
  },
});
const EUI = { dev_eui: "0004A30B001C0530", app_eui: "70B3D57ED0010002" };

test.each([
  ["labels.find", () => console.labels.find({ name: "Pumps" })],
  ["devices.find", () => console.devices.find({ ...EUI, app_key: canaries.appKey })],
  ["integrations.find", () => console.integrations.find({ name: "Lake" })],
] as const)("%s rejects if nothing says whether a 404 is that of the console", async (_, find) => {
  const error = await find().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isApiError(error, 404)) throw new Error("not rejected");
  expect(error.outcome).toBe("rejected");
  expect(error.message).toMatch(/its body says whether nothing matches or the address is wrong/);
});
