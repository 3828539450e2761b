import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { services } from "@fieldmesh/sandbox/internal/services";
import type { DefaultTheme } from "vitepress";
import { referenceSidebar } from "./reference-sidebar.ts";

type Group = Required<Pick<DefaultTheme.SidebarItem, "text" | "items">>;

const docs = join(import.meta.dirname, "..");

/** Guides in reading order. A guide that is not listed appears at the end. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ["getting-started", "cookbook", "clients"],
  "Making calls": ["errors-and-retries", "rate-limits", "validation", "paging"],
  "Devices and map": ["bulk-create", "many-workers", "device-events", "mapping"],
  "From a shell": ["move-a-fleet", "leave-for-chirpstack-or-the-things-stack", "export-rewards"],
  Webhooks: [
    "receiving-webhooks",
    "handle-events",
    "webhooks-through-a-queue",
    "keep-a-table-up-to-date",
    "keep-a-mirror",
    "databases",
    "frameworks",
    "catch-up",
    "webhooks",
    "try-webhooks-locally",
  ],
  Testing: ["testing", "sandbox", "prove"],
  "In production": ["production", "observability", "security"],
};

/** Guides for a reader with a question. */
const HELP: readonly string[] = ["troubleshooting", "glossary"];

/** Pages about the packages themselves, in `project`. */
const PROJECT: readonly string[] = [
  "evaluate",
  "comparison",
  "how-it-is-tested",
  "gauntlet",
  "documents",
  "availability",
  "supported-versions",
  "roadmap",
];

/** Returns the sidebar of each part of the site. */
export function sidebar(): DefaultTheme.SidebarMulti {
  const reference: Group = {
    text: "Endpoints",
    items: services.map(({ name, title }) => ({ text: title, link: `/reference/${name}` })),
  };
  const events: Group = { text: "Events", items: [{ text: "Event catalog", link: "/events" }] };
  const decisions = { text: "Decisions", link: "/decisions/" };
  const help: Group = {
    text: "Help",
    items: [
      { text: "Errors and outcomes", link: "/errors/" },
      ...group("Help", "guides", HELP).items,
    ],
  };
  const project: Group = {
    text: "Project",
    items: [
      { text: "Packages", link: "/packages" },
      ...group("Project", "project", PROJECT).items,
      decisions,
      { text: "Changelog", link: "/changelog" },
    ],
  };
  const about = [project, help, reference, events];
  return {
    "/guides/": [...guides(), help, reference, events],
    "/errors/": [help, ...errors()],
    "/decisions/": [group("Decisions", "decisions", decisionPages()), project],
    ...referenceSidebar(),
    "/project/": about,
    "/changelog": about,
    "/packages": about,
  };
}

function guides(): Group[] {
  const listed = new Set([...Object.values(GROUPS).flat(), ...HELP]);
  const More = pagesIn("guides").filter((name) => !listed.has(name));
  return Object.entries({ ...GROUPS, ...(More.length > 0 && { More }) }).map(([text, names]) =>
    group(text, "guides", names),
  );
}

/** A page that is listed and missing throws here. */
function group(text: string, folder: string, names: readonly string[]): Group {
  const items = names.map((name) => ({
    text: titleOf(`${folder}/${name}.md`),
    link: `/${folder}/${name}`,
  }));
  return { text, items };
}

/** The groups of the index of errors, in its order. */
function errors(): Group[] {
  const index = readFileSync(join(docs, "errors", "index.md"), "utf8");
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf("\n")),
      items: [...section.matchAll(/^\| \[`?(\w+)`?\]\(\.\/(\w+)\.md(#[\w-]+)?\)/gm)].map(
        ([, text = "", page = "", word = ""]) => ({ text, link: `/errors/${page}${word}` }),
      ),
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
