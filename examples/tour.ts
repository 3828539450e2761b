// A tour through the device console, the ledger, the webhooks and all services together:
//
//   npm start               stops after each chapter; Enter continues, q quits
//   npm start -- --fast     does not stop
//   npm start -- 2 6        shows these chapters
//
// Everything runs on this machine. For your own services, leave the sandbox out, and pass your baseUrl and apiKey.
import { startSandbox } from "@fieldmesh/sandbox";
import { type Chapter, printEnd, printMap } from "./tour/map.ts";
import { tourDevice } from "./tour/device.ts";
import { tourErrors } from "./tour/errors.ts";
import { tourFirstCall } from "./tour/first-call.ts";
import { tourImport } from "./tour/import.ts";
import { tourLedger } from "./tour/ledger.ts";
import { heading, pause } from "./tour/screen.ts";
import { tourTogether } from "./tour/together.ts";
import { tourWebhooks } from "./tour/webhooks.ts";

const chapters: readonly Chapter[] = [
  {
    title: "First call",
    about: "who you are, and a label",
    file: "first-call.ts",
    run: tourFirstCall,
  },
  {
    title: "Import",
    about: "2,500 rows, killed at 40% and resumed",
    file: "import.ts",
    run: tourImport,
  },
  {
    title: "Device",
    about: "its secret key, its flow, its uplinks",
    file: "device.ts",
    run: tourDevice,
  },
  { title: "Errors", about: "what happened, and what to do", file: "errors.ts", run: tourErrors },
  {
    title: "Ledger",
    about: "exact amounts, lists that resume",
    file: "ledger.ts",
    run: tourLedger,
  },
  {
    title: "Webhooks",
    about: "a duplicate, a crash, an unknown type",
    file: "webhooks.ts",
    run: tourWebhooks,
  },
  {
    title: "Together",
    about: "a device on the map, a subscriber to you",
    file: "together.ts",
    run: tourTogether,
  },
].map((chapter, index) => ({ ...chapter, number: index + 1 }));

const chosen = new Set(
  process.argv
    .slice(2)
    .filter((each) => /^\d+$/.test(each))
    .map(Number),
);
const shown = chapters.filter(({ number }) => chosen.size === 0 || chosen.has(number));

printMap(chapters);
await using sandbox = await startSandbox({ seed: 1 });
let isWanted = await pause("start");
for (const [index, { number, title, file, run }] of shown.entries()) {
  if (!isWanted) break;
  heading(`${number}. ${title}`, `examples/tour/${file}`);
  await run(sandbox);
  isWanted = await pause(shown[index + 1]?.title ?? "the end");
}
printEnd();
