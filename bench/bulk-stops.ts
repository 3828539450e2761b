// Imports 20 fleets of 20,000 devices into consoles that need 1 to 20 s for a chunk. Each import is stopped three times at random, and
// resumed at once: npm run bench -- bulk-stops. With other numbers (fleets, devices, the share of those times): npm run bench -- bulk-stops 4 2000 0.05
import { runStops } from "./bulk/run-stops.ts";

const [fleets = "20", devices = "20000", pace = "1"] = process.argv.slice(2);
const outcomes = await runStops({ fleets: +fleets, devices: +devices, pace: +pace });
console.table(outcomes);
if (outcomes.some(({ doubled, lost, wrongSums }) => doubled + lost + wrongSums > 0))
  process.exitCode = 1;
