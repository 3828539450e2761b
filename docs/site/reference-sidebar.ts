import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { services } from "@fieldmesh/sandbox/internal/services";
import { eventTypes } from "@fieldmesh/webhook-types";
import type { DefaultTheme } from "vitepress";
import { inOrder } from "./entry-texts.ts";
import { titled } from "./markdown.ts";

type Item = DefaultTheme.SidebarItem;

/** An item of the file that TypeDoc writes: a package entry, a kind of symbols, or a symbol. */
interface ApiItem {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly ApiItem[];
}

const KINDS: ReadonlySet<string> = new Set(["Functions", "Classes", "Variables"]);
/** The services whose resources have methods that no endpoint has: the test of client-methods.ts compares them. */
export const METHODS: ReadonlySet<string> = new Set(["console", "ledger"]);
const CATALOG: Item = { text: "Events", items: [{ text: "Event catalog", link: "/events" }] };
const apiFile = join(import.meta.dirname, "..", "api", "typedoc-sidebar.json");

/** Returns the sidebars of the generated pages: endpoints by resource, events by family, and the API by package entry. */
export function referenceSidebar(): DefaultTheme.SidebarMulti {
  return {
    ...endpoints(),
    ...events(),
    ...api(),
  };
}

/** The pages of a service have its resources alone: the largest has as many elements as a page may have. */
function endpoints(): DefaultTheme.SidebarMulti {
  const all = services.map(({ name, title }) => ({ text: title, link: `/reference/${name}` }));
  return Object.fromEntries(
    services.map((service) => {
      const others = all.filter(({ text }) => text !== service.title);
      return [
        `/reference/${service.name}`,
        [resourcesOf(service), { text: "Other services", items: others }, CATALOG],
      ];
    }),
  ) as DefaultTheme.SidebarMulti;
}

function resourcesOf({ name, title, tables }: (typeof services)[number]): Item {
  return {
    text: title,
    link: `/reference/${name}`,
    items: [
      ...Object.keys(tables),
      ...(METHODS.has(name) ? ["methods"] : []),
      "client",
      "records",
    ].map((page) => ({
      text: titled(page),
      link: `/reference/${name}/${page}`,
    })),
  };
}

/** Each family has a sidebar of its own: with all 139 events in it, a phone needs a tenth of a second more to start a page. */
function events(): DefaultTheme.SidebarMulti {
  const byFamily = Map.groupBy(eventTypes, (type) => type.split(".")[0] ?? type);
  const pages = [...byFamily].map(([family, types]) => [
    `/events/${family}.`,
    [CATALOG, { text: family, items: types.map(eventItem) }],
  ]);
  const families = [...byFamily.keys()].map((family) => ({
    text: family,
    link: `/events#${family.replaceAll("_", "-")}`,
  }));
  return {
    ...Object.fromEntries(pages),
    "/events": [CATALOG, { text: "Families", items: families }],
  } as DefaultTheme.SidebarMulti;
}

function eventItem(type: string): Item {
  return { text: type, link: `/events/${type}` };
}

/** The pages of an entry have its functions, classes and variables; its types are on the page of the entry. */
function api(): DefaultTheme.SidebarMulti {
  if (!existsSync(apiFile)) return {};
  const written = JSON.parse(readFileSync(apiFile, "utf8")) as ApiItem[];
  const entries = inOrder(written, ({ text }) => text);
  const packages = { text: "Packages", items: entries.map(itemOf) };
  return Object.fromEntries([
    ["/api/", [packages]],
    ...entries.map((entry) => [
      entry.link ?? "",
      [
        { ...itemOf(entry), items: kindsOf(entry) },
        { ...packages, link: "/api/", collapsed: true },
      ],
    ]),
  ]) as DefaultTheme.SidebarMulti;
}

function kindsOf({ items = [] }: ApiItem): Item[] {
  return items
    .filter(({ text }) => KINDS.has(text))
    .map(({ text, items: symbols = [] }) => ({ text, items: symbols.map(itemOf) }));
}

function itemOf({ text, link = "" }: ApiItem): Item {
  return { text: text.replace("@fieldmesh/", ""), link: link.replace(/\.md$/, "") };
}
