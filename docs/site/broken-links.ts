import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the links of a built site that lead to no file or to no anchor, such as `guides/paging.html: ./none.html`. It reads the
 * files: a program that requests each page needs minutes for what takes seconds here.
 */
export function findBrokenLinks(folder: string, base: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const pages = new Map(
    files
      .filter((path) => path.endsWith(".html"))
      .map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  );
  const ids = new Map([...pages].map(([path, html]) => [path, idsOf(html)]));
  const isBroken = (from: string, link: string): boolean => {
    const { origin, pathname, hash } = new URL(link, `http://site${base}${from}`);
    if (origin !== "http://site") return false;
    if (!pathname.startsWith(base)) return true;
    const path = fileOf(decodeURIComponent(pathname.slice(base.length)));
    if (!pages.has(path)) return !existsSync(join(folder, path));
    return hash !== "" && ids.get(path)?.has(decodeURIComponent(hash.slice(1))) !== true;
  };
  return [...pages].flatMap(([from, html]) => {
    const links = new Set(
      [...html.matchAll(/<[a-z]+\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, link = ""]) => link),
    );
    return [...links]
      .filter((link) => isBroken(from, link.replaceAll("&amp;", "&")))
      .map((link) => `${from}: ${link}`);
  });
}

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id));
}

/** Returns the file that a static host sends for a path. */
function fileOf(path: string): string {
  if (path === "" || path.endsWith("/")) return `${path}index.html`;
  return /\.\w+$/.test(path) ? path : `${path}.html`;
}
