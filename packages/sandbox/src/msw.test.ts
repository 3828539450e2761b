import { createConsoleClient } from "@fieldmesh/console-client";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Fault } from "./engine/serve/fault.ts";
import { handlers } from "./msw.ts";
import { createSandbox } from "./engine/sandbox/sandbox.ts";

const sandbox = createSandbox();
// A port, a path with a colon, and a slash at the end: none of them has a meaning for the match.
const baseUrl = "https://console.example.com:8443/v:2/";
const server = setupServer(...handlers(sandbox, { console: baseUrl }), ...handlers(sandbox));

beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(() => sandbox.reset());
afterAll(() => server.close());

const client = createConsoleClient({ baseUrl, apiKey: sandbox.apiKey, retry: false });

test("code under test reaches the sandbox at its own address, with body and query", async () => {
  const label = await client.labels.create({ name: "Südtor" });
  expect(await client.labels.find({ name: "Südtor" })).toEqual(label);
  expect(sandbox.log.requests().map(({ row, url }) => [row, url])).toEqual([
    ["labels.create", "/console/api/v1/labels"],
    ["labels.find", "/console/api/v1/labels?name=S%C3%BCdtor"],
  ]);
});

test("without an address, requests to the sandbox's own address are intercepted", async () => {
  const { baseUrl: own } = sandbox.console;
  const direct = createConsoleClient({ baseUrl: own, apiKey: sandbox.apiKey, retry: false });
  expect(await direct.labels.list()).toHaveLength(4);
});

test("other addresses are not handled", async () => {
  const { count } = sandbox.log;
  vi.spyOn(console, "error").mockImplementation(() => {});
  await expect(fetch("https://console.example.com:8443/v:22/api/v1/labels")).rejects.toThrow(
    TypeError,
  );
  await expect(fetch("https://other.example.com:8443/v:2/api/v1/labels")).rejects.toThrow(
    TypeError,
  );
  expect(sandbox.log.count).toBe(count);
});

test("strings are returned without a content-type, and errors with their status", async () => {
  const response = await fetch(new URL("api/v1/labels", baseUrl), { headers: { key: "wrong" } });
  expect([response.status, response.headers.get("content-type")]).toEqual([401, null]);
  const { id: label_id } = await client.labels.create({ name: "Pumps" });
  expect(await client.labels.delete({ label_id })).toBe("Label deleted");
});

test("fetch rejects for a broken connection, and the fault decides whether the work is done", async () => {
  const faults: [Fault, boolean][] = [
    [{ kind: "reset" }, false],
    [{ kind: "lost" }, true],
    [{ kind: "truncate" }, true],
  ];
  for (const [fault, done] of faults) {
    sandbox.reset();
    sandbox.setFaults([fault]);
    await expect(client.labels.create({ name: "Pumps" })).rejects.toMatchObject({
      name: "ConnectionError",
    });
    expect(sandbox.log.requests()).toMatchObject([{ fault, done }]);
  }
});
