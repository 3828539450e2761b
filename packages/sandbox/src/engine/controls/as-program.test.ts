import { expect, test } from "vitest";
import { call, UPLINK } from "../testing/all-state.ts";
import { createServices } from "../sandbox/create-services.ts";
import { type Sandbox, toSandbox } from "../sandbox/sandbox.ts";

/** Sends a request, and returns the program that the page shows for it. */
async function programOf(route: string, body?: unknown, headers?: Record<string, string>) {
  const origin = "https://sandbox.invalid";
  const services = createServices({}, { keepsResponses: true });
  const sandbox = toSandbox(services, origin) as Sandbox;
  await call(sandbox, route, body, headers);
  const response = await sandbox.handler(new Request(`${origin}/sandbox/requests/1`));
  return ((await response.json()) as { program?: string }).program;
}

test("a list is the first page of its method, and the rest of the query is an option", async () => {
  const program = await programOf("ledger GET /v1/accounts?mine=1");
  expect(program).toContain(`import { createLedgerClient } from "@fieldmesh/ledger-client";`);
  expect(program).not.toContain("apiKey");
  // Nobody has said that it is no secret.
  expect(program).toContain(
    `client.accounts.list({}, {\n  query: {\n    mine: process.env["MINE"]!,\n  },\n}).page();`,
  );
});

test("values are written as TypeScript: names in quotes, numbers, and lists that are empty", async () => {
  const program = await programOf("mapper POST /api/v1/ingest/uplink", {
    ...UPLINK,
    hotspots: [],
    decoded: { status: "success", payload: { ...UPLINK.decoded.payload, "odd-name": null } },
  });
  for (const line of ["client.ingest({", `"odd-name": null,`, "latitude: 47.5,", "hotspots: [],"])
    expect(program).toContain(line);
});

test("a hidden value that is no string is read as JSON, and a list of strings by its commas", async () => {
  const program = await programOf("mapper POST /api/v1/ingest/uplink", {
    ...UPLINK,
    mine: { deep: 1 },
    names: ["a", "b"],
  });
  expect(program).toContain(`mine: JSON.parse(process.env["MINE"]!),`);
  expect(program).toContain(`names: process.env["NAMES"]!.split(","),`);
});

test("a value that is nested too deeply to be shown is a variable of the environment", async () => {
  const hotspots = Array.from({ length: 101 }).reduce<unknown[]>((inner) => [inner], []);
  const program = await programOf("mapper POST /api/v1/ingest/uplink", { ...UPLINK, hotspots });
  expect(program).toContain(`process.env["HOTSPOTS"]!`);
});

test("a request that no client sends has no program", async () => {
  expect(await programOf("console GET /api/v1/nothing")).toBeUndefined();
  const text = { "content-type": "text/plain" };
  expect(await programOf("console POST /api/v1/labels", "Pumps", text)).toBeUndefined();
});
