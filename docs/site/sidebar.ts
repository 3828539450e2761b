import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { services } from "@fieldmesh/sandbox/services";

interface Item {
  readonly text: string;
  readonly link: string;
}

interface Group {
  readonly text: string;
  readonly items: readonly Item[];
}

const docs = join(import.meta.dirname, "..");

/** Guides in reading order. A guide that is not listed appears at the end. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ["getting-started", "authentication", "clients", "moving-from-a-hand-written-client"],
  "Calls and answers": [
    "errors-and-retries",
    "timeouts-and-cancellation",
    "validation",
    "secrets",
    "paging",
    "proxies-and-agents",
  ],
  "Devices and map": ["bulk-create", "integrations-and-flows", "mapping"],
  Webhooks: ["webhooks", "receiving-webhooks", "frameworks", "catch-up"],
  "In production": ["testing", "security", "supported-versions", "availability", "documents"],
};

/** Returns the sidebar of each part of the site. */
export function sidebar(): Readonly<Record<string, readonly Group[]>> {
  const reference: Group = {
    text: "Endpoints",
    items: services.map(({ name, title }) => ({ text: title, link: `/reference/${name}` })),
  };
  const events: Group = { text: "Events", items: [{ text: "Event catalog", link: "/events" }] };
  const background: Group = {
    text: "Background",
    items: [
      { text: "Decisions", link: "/decisions/" },
      { text: "Changelog", link: "/changelog" },
    ],
  };
  return {
    "/guides/": [...guides(), reference, events, background],
    "/decisions/": [decisions(), background],
    "/reference/": [reference, events],
    "/events": [reference, events],
    "/api/": [{ text: "Packages", items: api() }],
    "/changelog": [...guides(), reference, events, background],
  };
}

function guides(): Group[] {
  const there = pagesIn("guides");
  const named = new Set(Object.values(GROUPS).flat());
  const others = there.filter((name) => !named.has(name));
  return Object.entries({ ...GROUPS, ...(others.length > 0 && { More: others }) }).map(
    ([text, names]) => ({
      text,
      items: names
        .filter((name) => there.includes(name))
        .map((name) => ({ text: titleOf(`guides/${name}.md`), link: `/guides/${name}` })),
    }),
  );
}

function decisions(): Group {
  return {
    text: "Decisions",
    items: decisionPages().map((name) => ({
      text: titleOf(`decisions/${name}.md`),
      link: `/decisions/${name}`,
    })),
  };
}

function api(): Item[] {
  const file = join(docs, "api", "typedoc-sidebar.json");
  if (!existsSync(file)) return [];
  const items = JSON.parse(readFileSync(file, "utf8")) as Item[];
  return items.map(({ text, link }) => ({
    text: text.replace("@fieldmesh/", ""),
    link: link.replace(/\.md$/, ""),
  }));
}

/** Returns the names of the decision pages in order, without the index. */
export function decisionPages(): string[] {
  return pagesIn("decisions").filter((name) => name !== "index");
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(docs, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replace(/\.md$/, ""))
    .sort();
}

/** Returns the first heading of a page. */
export function titleOf(path: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(docs, path), "utf8"))?.[1]?.replaceAll("`", "") ?? path;
}
