import { readFileSync } from "node:fs";
import { join } from "node:path";
import MiniSearch from "minisearch";
import { expect, test } from "vitest";
import { packages, publicEntries, root, type Package } from "../../tools/packages.ts";
import { indexOptions, searchOptions } from "../site/search/options.ts";
import { MOST_BYTES } from "./guides-of.ts";
import { packedDocs } from "./packed-docs.ts";

/** A part of a guide, from one heading to the next. */
interface Section {
  readonly id: string;
  readonly file: string;
  readonly title: string;
  readonly text: string;
}

const docsOf = new Map(packages.map((one) => [one.id, packedDocs(one)]));

/** What a coding assistant that has only node_modules looks for, in which package, the guide that it must find, and what the guide must say there. */
test.each<[string, string, string, ...string[]]>([
  ["kill and resume an import of devices", "console-client", "bulk-create", "checkpoint", "resume"],
  ["two people upload the same file", "console-client", "bulk-create", "lease"],
  [
    "is a 429 retried",
    "console-client",
    "errors-and-retries",
    "429",
    "the time that the service names",
  ],
  [
    "errors and their outcome: unknown, rejected or not_sent",
    "console-client",
    "errors-and-retries",
    "`unknown`",
  ],
  ["proxy with a certificate", "console-client", "clients", "ProxyAgent"],
  ["follow new events of a device", "console-client", "device-events", "devices.follow"],
  ["cancel a request with an AbortSignal", "mobile-client", "clients", "signal"],
  ["resume a month of rewards after a crash", "ledger-client", "paging", "checkpoint"],
  ["read rewards in parallel", "ledger-client", "paging", "parallel", "lanes"],
  ["forward uplinks of an integration to the map", "mapper-client", "mapping", "createForwarder"],
  ["events that a receiver missed", "mobile-client", "catch-up", "catchUp"],
  ["NestJS raw body", "webhook-types", "frameworks", "rawBody: true"],
  [
    "Drizzle in the transaction",
    "webhook-types",
    "keep-a-table-up-to-date",
    "drizzle(",
    "transaction",
  ],
  ["rotate the signing secret", "webhook-types", "receiving-webhooks", "secrets: [next, current]"],
  ["the signature does not verify", "webhook-types", "receiving-webhooks", "explain"],
  ["an old event arrives after a newer one", "webhook-types", "keep-a-table-up-to-date", "order"],
  ["Next.js route", "webhook-types", "frameworks", "export const POST"],
  ["the member who uses a SIM", "mirror", "keep-a-mirror", "user_id"],
  ["pgbouncer in transaction mode", "mirror", "databases", "transaction"],
  ["simulate a network fault in a test", "sandbox", "testing", "faults"],
  ["prove that a handler survives a crash", "prove", "prove", "proveReceiver", "seed"],
  ["limit shared by several processes", "rate-limit", "rate-limits", "redisRateLimit"],
  ["spans and metrics in OpenTelemetry", "opentelemetry", "observability", "traceFieldmesh"],
  ["plan and apply a move of devices", "cli", "move-a-fleet", "fleet plan"],
])("%s (%s)", (question, id, guide, ...answer) => {
  const sections = sectionsOf(docsOf.get(id) ?? new Map());
  const search = new MiniSearch<Section>({
    fields: ["title", "text"],
    ...indexOptions,
    searchOptions,
  });
  search.addAll(sections);
  const found = search
    .search(question)
    .slice(0, 3)
    .flatMap(({ id: place }) => sections.filter((section) => section.id === place));
  const wanted = found.filter(({ file }) => file === `docs/${guide}.md`);
  expect(
    wanted.length,
    `found: ${found.map(({ file, title }) => `${file} ${title}`).join(", ")}`,
  ).toBeGreaterThan(0);
  expect(answer.filter((part) => !wanted.some(({ text }) => text.includes(part)))).toEqual([]);
});

test("a package grows by at most 60 KB", () => {
  const sizes = [...docsOf].map(([id, files]) => ({
    id,
    bytes: Buffer.byteLength([...files.values()].join("")),
  }));
  expect(sizes.filter(({ bytes }) => bytes === 0 || bytes > MOST_BYTES)).toEqual([]);
});

test("a link to another file of the package leads to it", () => {
  const broken = [...docsOf].flatMap(([id, files]) =>
    [...files].flatMap(([file, text]) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target = ""]) => (file.startsWith("docs/") ? join("docs", target) : target))
        .filter((target) => !files.has(target) && !/^(README\.md|dist\/.+\.d\.ts)$/.test(target))
        .map((target) => `${id}/${file}: ${target}`),
    ),
  );
  expect(broken).toEqual([]);
});

test("nothing in the packed guides is left of the site's own forms", () => {
  const left = [...docsOf].flatMap(([id, files]) =>
    [...files]
      .filter(([, text]) => /^:::|^---\n|<!--|^```\w+ |!\[/m.test(text))
      .map(([file]) => `${id}/${file}`),
  );
  expect(left).toEqual([]);
});

/** What has fewer than five functions. */
const FUNCTIONS: Readonly<Record<string, number>> = { opentelemetry: 1, prove: 2, "rate-limit": 3 };

test.each(packages)("the README of $id names its most used functions and its entries", (one) => {
  const readme = readFileSync(join(one.folder, "README.md"), "utf8");
  const rows = new Set([...readme.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = ""]) => name));
  const [, mostUsed = ""] = /^## Most used\n+([^]*?)\n\n/m.exec(readme) ?? [];
  const functions = [...mostUsed.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = ""]) => name);
  expect(functions).toHaveLength(FUNCTIONS[one.id] ?? 5);
  expect(functions.filter((name) => !isExported(name, one))).toEqual([]);
  const entries = publicEntries(one.manifest).map(([path]) => one.manifest.name + path.slice(1));
  expect(entries.filter((entry) => !rows.has(entry))).toEqual([]);
});

function isExported(name: string, { id }: Package): boolean {
  if (id === "cli") return name.startsWith("fieldmesh ");
  const report = readFileSync(join(root, "tools", "api", "reports", `${id}.api.md`), "utf8");
  const [, last = ""] = /(\w+)(?:\(.*)?$/.exec(name) ?? [];
  return new RegExp(`\\b${last}\\b`).test(report);
}

function sectionsOf(files: ReadonlyMap<string, string>): Section[] {
  return [...files]
    .filter(([file]) => file.startsWith("docs/"))
    .flatMap(([file, page]) =>
      page.split(/^(?=#{2,3} )/m).map((text, index) => ({
        id: `${file}#${index}`,
        file,
        title: /^#+ (.*)/.exec(text)?.[1] ?? "",
        text,
      })),
    );
}
