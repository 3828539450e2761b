import * as z from "@fieldmesh/core/internal/zod";
import { decodeLeniently, isDrift } from "@fieldmesh/core/internal/schema";
import { expect, test } from "vitest";
import { CreatedFlow } from "./created-flow.ts";

const id = "0f5c2b8e-17b9-4c52-9d0a-8a5d3f6b7c81";
const integration = { id, name: "Lake", labels: [], devices: [] };

test.each<[string, unknown]>([
  ["an empty list", []],
  ["an empty object", {}],
  ["nothing", null],
  ["a number", 7],
  ["a list of two strings", ["Flow created", "Lake"]],
  ["a list of two records", [integration, integration]],
  ["a list with something else", ["Flow created", {}]],
  ["a list with something else in front", [7, integration]],
])("%s is neither a message nor an integration", (_what, wire) => {
  const parsed = z.safeParse(CreatedFlow, wire);
  expect(parsed.error?.issues).toMatchObject([
    { message: "expected a message and an integration" },
  ]);
});

test.each<[string, unknown, object]>([
  ["an empty string", "", {}],
  ["a list of a record", [integration], { integration }],
  ["a list of a string", ["Flow created"], { message: "Flow created" }],
  ["a list in the other order", [integration, "Done"], { message: "Done", integration }],
  ["a message that is not a string", { ...integration, message: 7 }, { integration }],
  ["a record with a message only", { message: "Done" }, { message: "Done" }],
  ["a string around spaces", "  Done \n", { message: "Done" }],
  ["a string that is the record", JSON.stringify(integration), { integration }],
  ["a string before an empty record", "Done {}", { message: "Done" }],
  [
    "a string before a record with another message",
    `Done ${JSON.stringify({ ...integration, message: "Created" })}`,
    { message: "Done", integration },
  ],
  ["a string with a brace that never closes", " Done { ", { message: "Done {" }],
])("%s is read", (_what, wire, output) => {
  expect(decodeLeniently(CreatedFlow, wire)).toEqual(output);
  // The contract shows a message: without one, the response has drifted.
  const issues = z.safeParse(CreatedFlow, wire).error?.issues ?? [];
  expect(issues.map(({ path }) => path)).toEqual("message" in output ? [] : [["message"]]);
  for (const issue of issues) expect(isDrift(CreatedFlow, issue)).toBe(true);
});

test.each<[object, object]>([
  [{ message: "Done" }, { message: "Done" }],
  [
    { message: "Done", integration },
    { message: "Done", ...integration },
  ],
])("%j is written as one record", (output, wire) => {
  expect(z.encode(CreatedFlow, output)).toEqual(wire);
});
