import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readSamples } from "../../samples.ts";
import { bundleSamples } from "./bundle.ts";
import { needOf } from "./needs.ts";
import { toModule } from "./to-module.ts";

/** The largest page calls all clients and the sandbox. */
const MOST_BYTES = 165_000;

/** The samples without a button. */
const NEEDING: Readonly<Record<string, readonly string[]>> = {
  "a database": [
    "cookbook-9",
    "cookbook-11",
    "export-rewards-1",
    "keep-a-table-up-to-date-1",
    "keep-a-table-up-to-date-2",
    "keep-a-table-up-to-date-3",
    "keep-a-table-up-to-date-4",
    "rate-limits-3",
    "receiving-webhooks-2",
    "receiving-webhooks-3",
    "receiving-webhooks-4",
    "receiving-webhooks-7",
    "receiving-webhooks-8",
    "receiving-webhooks-9",
    "receiving-webhooks-10",
  ],
  "Node: it starts a server": [
    "frameworks-2",
    "frameworks-3",
    "frameworks-4",
    "frameworks-8",
    "frameworks-9",
    "frameworks-10",
    "frameworks-14",
    "large-integers-2",
    "large-integers-3",
    "large-integers-4",
    "mapping-3",
    "mapping-4",
    "testing-11",
    "watch-what-happens-1",
    "watch-what-happens-2",
  ],
  "Node: it reads or writes files": ["authentication-3", "bulk-create-8", "save-and-fork-3"],
  "Node: it uses the assertions of Node": [
    "cookbook-15",
    "receiving-webhooks-5",
    "testing-handlers-1",
    "testing-handlers-2",
    "testing-handlers-3",
    "testing-handlers-4",
    "testing-handlers-5",
  ],
  "Node: it subscribes to a channel of Node": [
    "packages-opentelemetry-readme-1",
    "observability-1",
    "observability-2",
  ],
  "Node: MSW replaces the HTTP client of Node": ["testing-4"],
  "Node: it replaces the HTTP client of Node": ["proxies-and-agents-1"],
  "Node: the search uses AsyncLocalStorage": ["prove-your-handlers-1", "prove-your-handlers-2"],
  "the server of its framework": [
    "frameworks-5",
    "frameworks-6",
    "frameworks-7",
    "frameworks-11",
    "frameworks-13",
    "frameworks-15",
  ],
};

test("every sample runs in its page, except for these", () => {
  const needs = new Map<string, string[]>();
  for (const sample of readSamples()) {
    const need = needOf(sample);
    if (need !== undefined) needs.set(need, [...(needs.get(need) ?? []), sample.name]);
  }
  expect(Object.fromEntries(needs)).toEqual(NEEDING);
});

test("a block that is only compiled needs a row", () => {
  const sample = { name: "new-1", code: "await call();", isExecuted: false, output: "" };
  expect(() => needOf(sample)).toThrow("new-1: add what it needs");
  expect(needOf({ ...sample, isExecuted: true })).toBeUndefined();
});

test("the samples of a page and what they call are small", async () => {
  const bundles = await bundleSamples();
  expect(bundles.size).toBeGreaterThan(30);
  const sizes = [...bundles].map(([page, program]) => {
    return { page, bytes: gzipSync(program, { level: 9 }).length };
  });
  const [largest] = sizes.toSorted((one, other) => other.bytes - one.bytes);
  console.log(`a click loads at most ${Math.round(largest!.bytes / 1_000)} KB: ${largest!.page}`);
  expect(sizes.filter(({ bytes }) => bytes > MOST_BYTES)).toEqual([]);
});

test("a sample becomes a function below its imports", () => {
  expect(
    toModule(`import { a } from "a";
// a comment
export const b = a();
export default { b };
`),
  ).toBe(`import { a } from "a";
export default async () => {
// a comment
const b = a();
void ({ b });
};
`);
});
