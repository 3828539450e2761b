import { execFileSync } from "node:child_process";
import type { HeadConfig } from "vitepress";
import { names, root } from "../../tools/packages.ts";

/** Tells whether Git has only the newest commits, as after a checkout for a deployment. */
export function isShallow(): boolean {
  const words = ["rev-parse", "--is-shallow-repository"];
  return execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim() !== "false";
}

/** Loads a font before the styles ask for it. */
export function preload(href: string): HeadConfig {
  return ["link", { rel: "preload", as: "font", type: "font/woff2", href, crossorigin: "" }];
}

/** What search engines and messengers read: the address of the page and its texts. */
export function describePage(path: string, title: string, description: string): HeadConfig[] {
  const address = path.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html");
  const url = new URL(address, names.site).href;
  const facts = {
    "og:type": "website",
    "og:site_name": "fieldmesh",
    "og:title": title,
    "og:description": description,
    "og:url": url,
  };
  return [
    ["link", { rel: "canonical", href: url }],
    ...Object.entries(facts).map(([property, content]): HeadConfig => [
      "meta",
      { property, content },
    ]),
    ["meta", { name: "twitter:card", content: "summary" }],
  ];
}
