import { expect, test } from "vitest";
import { playFault } from "@fieldmesh/sandbox/internal/engine";
import { createVirtualClock } from "@fieldmesh/sandbox/engine";
import { FAULTS } from "./job-faults.ts";

const call = { connection: {}, broken: false };
const send = async () => new Response("never seen");

test.each([
  ["429", 429, [["retry-after", "1"]]],
  ["500", 500, []],
  ["500 after the work", 500, []],
] as const)("a service that fails with %s names a wait only if it limits", async (...row) => {
  const [kind, status, headers] = row;
  const response = await playFault(FAULTS[kind], call, send, createVirtualClock());
  expect([response.status, [...response.headers], await response.text()]).toEqual([
    status,
    headers,
    "",
  ]);
});

test.each(["reset", "response lost"] as const)("%s throws the error of fetch", async (kind) => {
  await expect(playFault(FAULTS[kind], call, send, createVirtualClock())).rejects.toThrow(
    new TypeError("fetch failed"),
  );
});
