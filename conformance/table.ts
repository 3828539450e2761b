import { markdownTable } from "markdown-table";
import type { Finding } from "./setting.ts";

const START = "<!-- runtimes: written by npm run conformance -->";
const END = "<!-- end of runtimes -->";

/** The result of each runtime, as a table of the docs. */
export function tableOf(results: ReadonlyMap<string, readonly Finding[]>): string {
  const rows = [...results].map(([name, findings]) => {
    const failed = findings.filter(({ error }) => error !== undefined);
    const holds = `${findings.length - failed.length} of ${findings.length}`;
    return [name, holds, failed.map(({ title }) => title).join("; ") || "–"];
  });
  return markdownTable([["runtime", "checks that hold", "what does not"], ...rows], {
    alignDelimiters: false,
    padding: true,
  });
}

/** Returns a page with its table replaced. */
export function withTable(page: string, table: string): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start === -1 || end < start) throw new Error(`the page has no "${START}" and "${END}"`);
  return `${page.slice(0, start)}${START}\n\n${table}\n\n${page.slice(end)}`;
}
