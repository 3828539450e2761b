// Writes every page of the site that is made from something else: npm run docs does this first.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EVENTS_FILE, writeEvents } from "../machine/events.ts";
import { endpointsFile } from "../machine/operations.ts";
import { services } from "@fieldmesh/sandbox/services";
import { readSourceTypes } from "../machine/source-types.ts";
import { writeChangelog } from "./changelog.ts";
import { writeDecisions } from "./decisions.ts";
import { writeCatalog } from "./events.ts";
import { writeReference } from "./reference.ts";

const docs = join(import.meta.dirname, "..");

/** The generated pages but those of TypeDoc: text by path below docs. */
export function generatePages(): Map<string, string> {
  const types = readSourceTypes([
    EVENTS_FILE,
    ...services.map(({ package: id }) => endpointsFile(id)),
  ]);
  return new Map([
    ...services.map(
      (service) => [`reference/${service.name}.md`, writeReference(service, types)] as const,
    ),
    ["events.md", writeCatalog(writeEvents(types))],
    ["changelog.md", writeChangelog()],
    ["decisions/index.md", writeDecisions()],
  ]);
}

/** Writes them. */
export function writePages(): void {
  rmSync(join(docs, "reference"), { recursive: true, force: true });
  for (const [path, text] of generatePages()) {
    const file = join(docs, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
