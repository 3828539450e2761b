import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/packages.ts";
import type { Wait } from "./row.ts";
import { bulkWaits } from "./rows/bulk.ts";
import { callersWaits } from "./rows/callers.ts";
import { handlersWaits } from "./rows/handlers.ts";
import { httpWaits } from "./rows/http.ts";
import { lentWaits } from "./rows/lent.ts";
import { queueWaits } from "./rows/queue.ts";
import { receiverWaits } from "./rows/receiver.ts";

/** All waits for something foreign. A new one is a row in a file of `rows`. */
export const waits: readonly Wait[] = [
  ...httpWaits,
  ...callersWaits,
  ...bulkWaits,
  ...receiverWaits,
  ...handlersWaits,
  ...queueWaits,
  ...lentWaits,
];

const PAGE = "docs/decisions/35-every-wait-has-an-end.md";
const MARKED = /(<!-- table of waits -->\n\n)(?:\|.*\n)*/;
const HEAD = ["Wait for", "Limit", "Then", "Reported", "Recovers"];

/** Returns the decision with the table of all waits. */
export function withWaits(): Map<string, string> {
  const page = readFileSync(join(root, PAGE), "utf8");
  if (!MARKED.test(page)) throw new Error(`${PAGE} has no table of waits.`);
  const lines = [HEAD, HEAD.map(() => "---"), ...waits.map(cellsOf)];
  const table = lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
  return new Map([[PAGE, page.replace(MARKED, (_, mark: string) => mark + table)]]);
}

function cellsOf({ part, limit = 0, limitText, after, reported, recovers }: Wait): string[] {
  return [part, limitText ?? `${limit / 1_000} s`, after, reported, recovers];
}
