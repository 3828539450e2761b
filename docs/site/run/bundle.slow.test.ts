import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readSamples } from "../../samples.ts";
import { bundleSamples, toModule } from "./bundle.ts";
import { needOf } from "./needs.ts";

/** The largest page calls all clients and the sandbox. Marks of fields and events cost it 3 KB, followed events 4 KB, records with a time line 1 KB. */
const MOST_BYTES = 182_000;

/** The pages whose samples have no button, or some of them. */
const NEEDING: Readonly<Record<string, string>> = {
  "a database":
    "cookbook databases export-rewards frameworks handle-events keep-a-mirror keep-a-table-up-to-date packages-mirror-readme packages-rate-limit-readme production prove rate-limits receiving-webhooks webhooks-through-a-queue",
  "Node: it starts a server":
    "device-events frameworks mapping validation webhooks-through-a-queue",
  "Node: it reads or writes files": "bulk-create clients sandbox",
  "Node: it uses the tools of Node for tests": "cookbook databases testing",
  "Node: it uses Vitest": "testing",
  "Node: it subscribes to a channel of Node": "observability packages-opentelemetry-readme",
  "Node: MSW replaces the HTTP client of Node": "testing",
  "Node: it replaces the HTTP client of Node": "clients errors-and-retries",
  "Node: the search uses AsyncLocalStorage": "packages-prove-readme prove",
  "a queue": "many-workers webhooks-through-a-queue",
  "the server of its framework": "frameworks",
};

test("every sample runs in its page, except for these", () => {
  const needs = new Map<string, Set<string>>();
  for (const sample of readSamples()) {
    const need = needOf(sample);
    if (need === undefined) continue;
    const pages = needs.get(need) ?? new Set();
    needs.set(need, pages.add(sample.name.replace(/-\d+$/, "")));
  }
  const found = [...needs].map(([need, pages]) => [need, [...pages].sort().join(" ")]);
  expect(Object.fromEntries(found)).toEqual(NEEDING);
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
