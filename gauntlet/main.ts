// The fault matrix. See docs/project/gauntlet.md:
//
//   npm run gauntlet -- [--only tls] [--repeat 200 --seed 7] [--dispatch] [--peers] [--write]
//   npm run gauntlet -- --list
import { parseArgs } from "node:util";
import { markdownTable } from "markdown-table";
import { allCases, families } from "./rows/index.ts";
import { useDispatchFetch } from "./parts/choose-fetch.ts";
import { createChance } from "./parts/chance.ts";
import { rowsPage } from "./run/markdown.ts";
import { failureLine, printResults, printSummary } from "./run/print.ts";
import { familyCounts, writeTables } from "./run/results.ts";
import { runCases, type Result, withoutMissing } from "./run/run-cases.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    repeat: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    peers: { type: "boolean", default: false },
    dispatch: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});

const only = values.only.toLowerCase();
const isChosen = (name: string) => name.toLowerCase().includes(only);
const chance = createChance(Number(values.seed));

if (values.dispatch) useDispatchFetch();
if (values.list) console.log(rowsPage(allCases));
else if (values.peers) await comparePeers();
// Parts of others that never settle may keep a connection or a timer, so the program does not wait for them.
else process.exit((await runRows()) ? 0 : 1);

async function runRows(): Promise<boolean> {
  const cases = withoutMissing(allCases, console.log).filter(({ family, fault }) =>
    isChosen(`${family} ${fault}`),
  );
  const results: Result[] = [];
  const first = await runCases(cases, chance);
  printResults(first);
  results.push(...first);
  // A bomb has nothing random.
  const light = cases.filter(({ heavy }) => heavy !== true);
  for (let round = 2; round <= Number(values.repeat); round++) {
    const ran = await runCases(chance.shuffle(light), chance);
    const failed = ran.filter(({ passed }) => !passed);
    console.log(`round ${round}: ${failed.length} failed`);
    failed.forEach((each) => console.log(`  ${failureLine(each)}`));
    results.push(...ran);
  }
  if (values.write) writeTables("rows", [familyCounts(first)]);
  return printSummary(results);
}

/** Loaded only for this, because ten clients take a second to load. */
async function comparePeers(): Promise<void> {
  const { askPeers } = await import("./peers/ask.ts");
  const { peerTables } = await import("./peers/tables.ts");
  const chosen = families.filter(({ title }) => isChosen(title));
  const tables = peerTables(await askPeers(chosen, chance));
  for (const { of, head, rows } of tables)
    console.log(`${of}\n\n${markdownTable([head, ...rows.map((row) => row.map(String))])}\n`);
  if (values.write) writeTables("peers", tables);
}
