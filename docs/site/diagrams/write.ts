// npm run generate -- diagrams: writes the drawings of the guides to docs/diagrams.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diagrams } from "./diagrams.ts";
import { toSvg } from "./draw.ts";

const folder = join(import.meta.dirname, "..", "..", "diagrams");
mkdirSync(folder, { recursive: true });
for (const [name, diagram] of Object.entries(diagrams))
  writeFileSync(join(folder, `${name}.svg`), toSvg(name, diagram));
