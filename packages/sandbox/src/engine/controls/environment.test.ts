import { expect, test } from "vitest";
import { firstCurl, linesOf, variablesOf } from "./environment.ts";

test("each service has its address and its key as variables, and the page is one too", () => {
  const variables = variablesOf(
    [
      { service: "console", baseUrl: "http://127.0.0.1:4000/console", key: "k#1" },
      { service: "ledger", baseUrl: "http://127.0.0.1:4000/ledger" },
      { service: "mapper", baseUrl: "http://127.0.0.1:4000/mapper", key: undefined },
    ],
    "http://127.0.0.1:4000/#token",
  );
  expect(Object.entries(variables)).toEqual([
    ["CONSOLE_URL", "http://127.0.0.1:4000/console"],
    ["CONSOLE_KEY", "k#1"],
    ["LEDGER_URL", "http://127.0.0.1:4000/ledger"],
    ["MAPPER_URL", "http://127.0.0.1:4000/mapper"],
    ["FIELDMESH_SANDBOX", "http://127.0.0.1:4000/#token"],
  ]);
});

test("a line has quotes around a value that a shell would not read as it is", () => {
  expect(linesOf({ CONSOLE_KEY: "k-1", FIELDMESH_SANDBOX: "http://127.0.0.1/#t" })).toEqual([
    "CONSOLE_KEY=k-1",
    "FIELDMESH_SANDBOX='http://127.0.0.1/#t'",
  ]);
});

test("neither a line nor the first call runs what a value contains", () => {
  const hostile = "$(touch ran)`touch ran`";
  expect(linesOf({ CONSOLE_KEY: hostile })).toEqual([`CONSOLE_KEY='${hostile}'`]);
  expect(firstCurl(`http://${hostile}/console`, `'${hostile}`)).toBe(
    `curl -H 'key: '"'"'${hostile}' 'http://${hostile}/console/api/v1/labels'`,
  );
});
