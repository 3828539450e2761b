import { createSandbox } from "@fieldmesh/sandbox";
import { expect, test } from "vitest";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { testContext } from "./context.ts";

test("each service of a sandbox is called with its own key, by one client", async () => {
  const sandbox = createSandbox();
  const context = testContext({ sandbox });
  const client = await context.client("console");
  expect(await client.labels.list()).toHaveLength(4);
  expect(await context.client("console")).toBe(client);
  expect(await (await context.client("ledger")).blocks.height()).toMatchObject({
    height: expect.any(Number),
  });
  expect((await context.client("mobile")).mode).toBe("sandbox");
  expect(await context.client("mapper")).toHaveProperty("ingest");
});

const key = canaries.apiKey;
test.each([
  [
    "console",
    { CONSOLE_KEY: key },
    "The address of the console service is missing: set CONSOLE_URL",
  ],
  ["console", { CONSOLE_URL: "https://c.example" }, "The key of the console service is missing"],
  ["console", { CONSOLE_URL: "https://c.example", CONSOLE_KEY: `${key}\n` }, "a line break"],
  [
    "console",
    { CONSOLE_URL: "https://user:hidden@c.example", CONSOLE_KEY: key },
    "Set CONSOLE_KEY instead",
  ],
  ["console", { CONSOLE_URL: "nowhere", CONSOLE_KEY: key }, "CONSOLE_URL is not a URL"],
  [
    "console",
    { CONSOLE_URL: "http://c.example", CONSOLE_KEY: key },
    "CONSOLE_URL is plain http://",
  ],
  ["ledger", { LEDGER_URL: "ftp://l.example" }, "LEDGER_URL must begin with https://"],
] as const)("%s with %o names the variable to set", async (service, env, sentence) => {
  const error = await testContext({ env })
    .client(service)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "CliError", exitCode: 2 });
  expect((error as Error).message).toContain(sentence);
  // It does not mention an option that only a program can set.
  expect((error as Error).message).not.toMatch(
    new RegExp(`${key}|hidden|baseUrl|apiKey|allowInsecureHttp|credential option`),
  );
});
