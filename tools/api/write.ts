// npm run generate -- api: writes the reports of the exports of each entry. With --check, lists those that differ, and fails.
import { relative } from "node:path";
import { root } from "../packages.ts";
import { changedReports, REPORTS } from "./reports.ts";

const isCheck = process.argv.includes("--check");
const changed = changedReports({ write: !isCheck });
const folder = relative(root, REPORTS);
for (const { name, difference } of changed)
  console.log(`${isCheck ? "differs" : "written"}: ${folder}/${name}.api.md: ${difference}`);
if (isCheck && changed.length > 0) {
  console.error(
    "The exports of these entries have changed. Run `npm run generate -- api`, read the difference as a user would, and add a changeset.",
  );
  process.exitCode = 1;
}
