/** @jest-environment jsdom */
const client = require("@fieldmesh/console-client");
const { createReceiver } = require("@fieldmesh/webhook-types/receiver");
const { parseEvent } = require("@fieldmesh/webhook-types/parse");
const { isKnownEvent } = require("@fieldmesh/webhook-types");
const { sampleEvent } = require("@fieldmesh/webhook-types/samples");

test("a page loads every package, and recognizes errors and events", () => {
  expect(client.isApiError(new Error("another"))).toBe(false);
  expect(typeof createReceiver).toBe("function");
  expect(isKnownEvent(parseEvent(JSON.stringify(sampleEvent("sim.activated"))))).toBe(true);
});

test("a client says which environment it needs", () => {
  expect(() => client.createConsoleClient({ baseUrl: "https://a.test", apiKey: "key" })).toThrow(
    "@jest-environment node",
  );
});
