// npm run docs -- pictures: records the tour and the commands of the guides as pictures.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { recordings, runRecording } from "./recordings.ts";
import { drawTerminal } from "./terminal-svg.ts";

const folder = join(import.meta.dirname, "..", "public");
for (const recording of recordings) {
  const file = join(folder, recording.file);
  mkdirSync(dirname(file), { recursive: true });
  const shown = await runRecording(recording);
  const svg = await drawTerminal(shown, recording);
  writeFileSync(file, svg);
  console.log(`written: docs/public/${recording.file}, ${Math.round(svg.length / 1000)} KB`);
}
