import { expect, test } from "vitest";
import { createSandbox } from "../sandbox/sandbox.ts";
import { foreignKeyNote, keyOwner } from "./key-owner.ts";

const sandbox = createSandbox();
const { console, mobile } = sandbox;

test.each([
  ["console", { key: console.apiKey }, "printed"],
  ["console", { key: console.unconfirmedApiKey }, "console"],
  ["console", { key: mobile.liveApiKey }, "mobile"],
  ["mobile", { authorization: `Bearer ${mobile.apiKey}` }, "printed"],
  ["mobile", { authorization: `bearer ${mobile.keys.pk}` }, "mobile"],
  ["mobile", { authorization: `Bearer ${console.apiKey}` }, "console"],
  ["mobile", { authorization: "Bearer other" }, "unknown"],
  ["ledger", { key: console.apiKey }, "console"],
  ["console", { key: "" }, undefined],
  ["console", {}, undefined],
] as const)(
  "a request to the %s with a key tells whose it is: case %#",
  (service, headers, owner) => {
    expect(keyOwner({ service, headers }, sandbox)).toBe(owner);
  },
);

test("only a 401 for the key of another service says so, and the response keeps its own body", async () => {
  const { baseUrl, fetch } = mobile;
  const response = await fetch(
    new Request(`${baseUrl}/v1/event-types`, {
      headers: { authorization: `Bearer ${console.apiKey}` },
    }),
  );
  expect([response.status, await response.json()]).toMatchObject([
    401,
    { code: "invalid_api_key" },
  ]);
  const [request] = sandbox.log.requests();
  expect(foreignKeyNote(request!, sandbox)).toBe("this is the key of the console");
  expect(foreignKeyNote({ ...pick(request!), status: 200 }, sandbox)).toBeUndefined();
  const own = { service: "mobile", headers: { authorization: "Bearer x" }, status: 401 };
  expect(foreignKeyNote(own, sandbox)).toBeUndefined();
  const other = { service: "console", headers: { key: mobile.apiKey }, status: 401 };
  expect(foreignKeyNote(other, sandbox)).toBe("this is the key of the mobile service");
});

function pick({
  service,
  headers,
}: {
  service: string;
  headers: Readonly<Record<string, string>>;
}) {
  return { service, headers };
}
