// Writes the number of event types where the README and others name it, and into the badges: npm run generate -- events
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventTypes } from "@fieldmesh/webhook-types";
import { makeBadges } from "./badges.ts";

/** "139 types" and the like. */
export const COUNT = /\b\d+(?= (?:webhook events|typed events|types|events)\b)/g;
export const COUNTED = ["README.md", "docs/index.md", "packages/webhook-types/README.md"];

const root = join(import.meta.dirname, "../..");

if (import.meta.main) {
  for (const file of COUNTED) {
    const path = join(root, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(COUNT, String(eventTypes.length)));
  }
  for (const [name, svg] of makeBadges())
    writeFileSync(join(root, "docs/public/badges", name), svg);
}
