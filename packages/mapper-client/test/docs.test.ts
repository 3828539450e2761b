import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// What is submitted is shown to everybody at once: who reads the doc comment at the call has to be told.
test.each([
  ["src/mapper.ts", "ingest: endpoint("],
  ["src/forwarder.ts", "export function createForwarder("],
  ["src/client.ts", "export function createMapperClient("],
])("the doc comment in %s warns of the public map", (file, declaration) => {
  const source = readFileSync(join(import.meta.dirname, "..", file), "utf8");
  const before = source.slice(0, source.indexOf(declaration));
  const comment = before.slice(before.lastIndexOf("/**"));
  expect(comment.replaceAll(/\s+\* /g, " ")).toMatch(/shown on a public map/);
});
