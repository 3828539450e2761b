// npm run docs -- pictures: records the tour as a picture.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawTerminal } from "./terminal-svg.ts";
import { runTour, TOUR } from "./tour.ts";

const svg = await drawTerminal(await runTour(), TOUR);
writeFileSync(join(import.meta.dirname, "..", "public", TOUR.file), svg);
console.log(`written: docs/public/${TOUR.file}, ${Math.round(svg.length / 1000)} KB`);
