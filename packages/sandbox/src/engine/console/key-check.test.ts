import { createConsoleClient } from "@fieldmesh/console-client";
import { expect, test } from "vitest";
import { createSandbox } from "../sandbox/sandbox.ts";
import { openConsole } from "../testing/console.ts";

test("a missing, a wrong and an unconfirmed key have different errors, in JSON without a content-type", async () => {
  const { sandbox } = openConsole();
  const errors: unknown[] = [];
  for (const key of [undefined, "", "wrong", sandbox.console.unconfirmedApiKey]) {
    const headers = key === undefined ? {} : { key };
    const response = await sandbox.console.fetch(`${sandbox.console.baseUrl}/api/v1/labels`, {
      headers,
    });
    expect(response.headers.get("content-type")).toBeNull();
    errors.push([response.status, await response.json()]);
  }
  const missing = [403, { type: "forbidden", errors: ["Key header is missing"] }];
  expect(errors).toEqual([
    missing,
    missing,
    [401, { message: "invalid_api_key" }],
    [401, { message: "api_key_needs_email_verification" }],
  ]);
});

test("a key is 32 bytes in base64", () => {
  const { console: service } = createSandbox();
  for (const key of [service.apiKey, service.unconfirmedApiKey]) {
    expect(key).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(atob(key)).toHaveLength(32);
  }
});

test("a request without a key changes nothing", async () => {
  const { sandbox, send } = openConsole();
  await send("POST /api/v1/labels", { name: "Pumps" }, { key: "wrong" });
  expect(sandbox.console.state.labels.size).toBe(0);
});

test("an error tells the user to open the link in the email", async () => {
  const { console: service } = createSandbox();
  const client = createConsoleClient({ ...service, apiKey: service.unconfirmedApiKey });
  await expect(client.labels.list()).rejects.toThrow("Open the link in the email");
});

test("an added key is accepted, and a removed one is rejected", async () => {
  const { sandbox, client, send } = openConsole();
  const { keys } = sandbox.console.state;
  keys.set("a-second-key", "confirmed");
  expect((await send("GET /api/v1/labels", undefined, { key: "a-second-key" })).status).toBe(200);
  keys.delete(sandbox.apiKey);
  await expect(client.labels.list()).rejects.toMatchObject({ status: 401 });
});
