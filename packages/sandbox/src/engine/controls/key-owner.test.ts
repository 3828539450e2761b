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
  ["console", { key: console.apiKey, authorization: `Bearer ${mobile.apiKey}` }, "printed"],
  ["console", { authorization: console.apiKey }, "printed"],
  // The word counts only at the beginning.
  ["console", { authorization: console.apiKey.replace("=", "Bearer =") }, "unknown"],
  ["console", { key: mobile.apiKey }, "mobile"],
  ["mobile", { authorization: `Bearer ${mobile.liveApiKey}` }, "mobile"],
  ["mobile", { key: console.unconfirmedApiKey }, "console"],
  ["ledger", { key: console.apiKey }, "console"],
  ["ledger", { key: mobile.apiKey }, "mobile"],
  ["ledger", { authorization: "Bearer other" }, "unknown"],
  ["mobile", { authorization: "Bearer " }, undefined],
  ["console", { key: "" }, undefined],
  ["console", {}, undefined],
] as const)(
  "a request to the %s with a key tells whose it is: case %#",
  (service, headers, owner) => {
    expect(keyOwner({ service, headers }, sandbox)).toBe(owner);
  },
);

test.each([
  ["mobile", 401, { authorization: `Bearer ${console.apiKey}` }, "this is the key of the console"],
  ["mobile", 401, { key: console.unconfirmedApiKey }, "this is the key of the console"],
  ["console", 401, { key: mobile.apiKey }, "this is the key of the mobile service"],
  ["mobile", 200, { authorization: `Bearer ${console.apiKey}` }, undefined],
  ["mobile", 403, { authorization: `Bearer ${console.apiKey}` }, undefined],
  ["mobile", undefined, { authorization: `Bearer ${console.apiKey}` }, undefined],
  ["mobile", 401, { authorization: "Bearer x" }, undefined],
  ["mobile", 401, {}, undefined],
  ["mobile", 401, { authorization: `Bearer ${mobile.apiKey}` }, undefined],
  ["mobile", 401, { authorization: `Bearer ${mobile.liveApiKey}` }, undefined],
  ["console", 401, { key: console.unconfirmedApiKey }, undefined],
] as const)(
  "only a 401 for the key of another service has a note: %s, %s, case %#",
  (service, status, headers, note) => {
    expect(foreignKeyNote({ service, status, headers }, sandbox)).toBe(note);
  },
);

test("a request in the log has a note, and its response keeps its own body", async () => {
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
});
