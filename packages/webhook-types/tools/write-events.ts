// Writes what the event schemas say into src/events/generated: npm run generate -- events
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedFolder, generateEvents } from "./generate-events.ts";

mkdirSync(generatedFolder, { recursive: true });
for (const [file, text] of await generateEvents()) writeFileSync(join(generatedFolder, file), text);
