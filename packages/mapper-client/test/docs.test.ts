import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// Anyone can see a submitted uplink at once, so the doc comment at the call must say so.
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
