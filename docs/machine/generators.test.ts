import { readFileSync } from "node:fs";
import { join } from "node:path";
import { services } from "@fieldmesh/sandbox/services";
import { expect, test } from "vitest";
import { publicFolder } from "./folders.ts";
import { generators, testedVersions } from "./generators.ts";
import type { Json } from "./shapes.ts";

const documents = [...services.map(({ name }) => `openapi/${name}.json`), "asyncapi/webhooks.json"];

test.for(documents)("names of components in %s stay distinct as identifiers", (path) => {
  const { components } = read(path) as { components: Readonly<Record<string, Json>> };
  for (const names of Object.values(components).map((each) => Object.keys(each))) {
    const identifiers = names.map((name) => name.replace(/\W|_/g, "").toLowerCase());
    expect(identifiers.filter((each, at) => identifiers.indexOf(each) !== at)).toEqual([]);
    expect(names.filter((name) => !/^[A-Z]\w*$/.test(name) && name !== "credential")).toEqual([]);
  }
});

test.for(services)(
  "the first server of $name is the sandbox, as a URL without variables",
  ({ name }) => {
    const { servers } = read(`openapi/${name}.json`) as { servers: readonly { url: string }[] };
    expect(servers.map(({ url }) => url)).toEqual([`http://127.0.0.1:8080/${name}`, "{baseUrl}"]);
  },
);

test("the guide names the versions of the generators that are tested", () => {
  const guide = readFileSync(join(import.meta.dirname, "../guides/documents.md"), "utf8");
  const rows = [...guide.matchAll(/^\| `([^`]+)` ([\d.]+) \|/gm)];
  const named = rows.map(([, name = "", version]) => [name, version]);
  expect(named).toEqual(named.map(([name = ""]) => [name, testedVersions[name]]));
  // And the AsyncAPI CLI.
  expect(new Set(named.map(([name]) => name)).size).toBe(generators.length + 1);
});

function read(path: string): Json {
  return JSON.parse(readFileSync(join(publicFolder, path), "utf8")) as Json;
}
