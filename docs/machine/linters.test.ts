import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Parser } from "@asyncapi/parser";
import { createConfig, lint } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { publicFolder } from "./folders.ts";
import { services } from "@fieldmesh/sandbox/services";
import { eventTypes } from "@fieldmesh/webhook-types";

/** Paths that the contract itself has side by side, such as /v1/blocks/height and /v1/blocks/{height}. */
const OF_THE_CONTRACT = new Set(["no-ambiguous-paths"]);

/** It recommends AsyncAPI 3.1, of which the official generator makes no models. */
const OF_THE_VERSION = "asyncapi-latest-version";

test.for(services)("Redocly's recommended rules find nothing in $name", async ({ name }) => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lint({ ref: join(publicFolder, "openapi", `${name}.json`), config });
  const found = problems
    .filter(({ ruleId }) => !OF_THE_CONTRACT.has(ruleId))
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
  expect(found).toEqual([]);
});

test("Redocly's rules are asked at all", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lint({
    ref: join(import.meta.dirname, "fixtures", "poor-openapi.json"),
    config,
  });
  expect(problems.map(({ ruleId }) => ruleId)).toContain("operation-4xx-response");
});

test("the AsyncAPI parser finds nothing in the webhooks, examples included", async () => {
  const text = readFileSync(join(publicFolder, "asyncapi", "webhooks.json"), "utf8");
  const { document, diagnostics } = await new Parser().parse(text);
  const found = diagnostics
    .filter(({ code }) => code !== OF_THE_VERSION)
    .map(({ code, message, path }) => `${code}: ${message} ${path.join("/")}`);
  expect(found).toEqual([]);
  expect(document?.allMessages().length).toBe(eventTypes.length);
});
