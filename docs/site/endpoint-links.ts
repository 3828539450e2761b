import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `../endpoints/variables/labels.md`, or `variables/labels.md` on the page of the entry, or a path from the root. */
const LINK = /(?<=[("])[^()"\s]*\bvariables\/(\w+)\.md/g;

/**
 * Removes the page of each table of endpoints, whose rows are a page of the reference, from a folder that TypeDoc has written.
 * Links to it lead to the reference.
 */
export function linkEndpoints(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.(md|json)$/.test(path),
  )) {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    const linked = text.replace(LINK, (link, table: string) => {
      const target = link.startsWith("/api/") ? link : join("/api", file, "..", link);
      const [, service] = /(\w+)-client\/endpoints\/variables\//.exec(target) ?? [];
      return service === undefined ? link : `/reference/${service}/${table}.md`;
    });
    if (/\/endpoints\/variables\//.test(file)) rmSync(path);
    else if (linked !== text) writeFileSync(path, linked);
  }
}
