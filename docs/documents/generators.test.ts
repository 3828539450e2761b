import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Parser } from "@asyncapi/parser";
import { SANDBOX_PORT } from "@fieldmesh/sandbox/internal";
import { services } from "@fieldmesh/sandbox/internal/services";
import { eventTypes } from "@fieldmesh/webhook-types";
import { createConfig, lint } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { documents, readDocument } from "../../tools/documents.ts";
import { generators, testedVersions } from "./generators.ts";
import type { Json } from "./shapes.ts";

/** Paths that the contract itself has side by side, such as /v1/blocks/height and /v1/blocks/{height}. */
const OF_THE_CONTRACT = new Set(["no-ambiguous-paths"]);

/** It recommends AsyncAPI 3.1, of which the official generator makes no models. */
const OF_THE_VERSION = "asyncapi-latest-version";

const files = [...services.map(({ name }) => `openapi/${name}.json`), "asyncapi/webhooks.json"];

test.for(files)("names of components in %s stay distinct as identifiers", (path) => {
  const { components } = readDocument(path) as { components: Readonly<Record<string, Json>> };
  for (const names of Object.values(components).map((each) => Object.keys(each))) {
    const identifiers = names.map((name) => name.replace(/\W|_/g, "").toLowerCase());
    expect(identifiers.filter((each, at) => identifiers.indexOf(each) !== at)).toEqual([]);
    expect(names.filter((name) => !/^[A-Z]\w*$/.test(name) && name !== "credential")).toEqual([]);
  }
});

test.for(services)(
  "the first server of $name is the sandbox, as a URL without variables",
  ({ name }) => {
    const { servers } = readDocument(`openapi/${name}.json`) as {
      servers: readonly { url: string }[];
    };
    expect(servers.map(({ url }) => url)).toEqual([
      `http://127.0.0.1:${SANDBOX_PORT}/${name}`,
      "{baseUrl}",
    ]);
  },
);

test("what the contract calls deprecated is deprecated in the document, and nothing else", () => {
  const found = services.flatMap(({ name }) => {
    const { paths } = readDocument(`openapi/${name}.json`) as {
      paths: Readonly<Record<string, Json>>;
    };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).some((each) => (each as Json)["deprecated"] === true) ? [path] : [],
    );
  });
  expect(found).toEqual(["/v1/blocks/{height}", "/v1/locations/{location}"]);
});

test("the guide names the versions of the generators that are tested", () => {
  const guide = readFileSync(join(import.meta.dirname, "../project/documents.md"), "utf8");
  const rows = [...guide.matchAll(/^\| `([^`]+)` ([\d.]+) \|/gm)];
  const named = rows.map(([, name = "", version]) => [name, version]);
  expect(named).toEqual(named.map(([name = ""]) => [name, testedVersions[name]]));
  // And the AsyncAPI CLI.
  expect(new Set(named.map(([name]) => name)).size).toBe(generators.length + 1);
});

test.for(services)("Redocly's recommended rules find nothing in $name", async ({ name }) => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lint({ ref: join(documents, "openapi", `${name}.json`), config });
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
  const text = readFileSync(join(documents, "asyncapi", "webhooks.json"), "utf8");
  const { document, diagnostics } = await new Parser().parse(text);
  const found = diagnostics
    .filter(({ code }) => code !== OF_THE_VERSION)
    .map(({ code, message, path }) => `${code}: ${message} ${path.join("/")}`);
  expect(found).toEqual([]);
  expect(document?.allMessages().length).toBe(eventTypes.length);
});
