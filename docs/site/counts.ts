import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventTypes } from "@fieldmesh/webhook-types";
import { root } from "../../tools/packages.ts";

/** "139 types" and the like. */
const COUNT = /\b\d+(?= (?:webhook events|typed events|types|events)\b)/g;
const COUNTED = ["README.md", "docs/index.md", "packages/webhook-types/README.md"];

/** Returns the pages that name the number of event types, with the number. */
export function withCounts(): Map<string, string> {
  const pages = COUNTED.map((path): [string, string] => {
    const text = readFileSync(join(root, path), "utf8");
    if (text.search(COUNT) < 0) throw new Error(`${path} does not name the number of event types.`);
    return [path, text.replace(COUNT, String(eventTypes.length))];
  });
  return new Map(pages);
}
