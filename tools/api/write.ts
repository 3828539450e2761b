// npm run generate -- api: writes the reports of the exports of each package. With --check, lists those that differ, and fails.
import { relative } from "node:path";
import { root } from "../packages.ts";
import { readApi, REPORTS } from "./reports.ts";

/** The distinct names of all entries that semver covers, of which 154 are event types: each is a promise from 1.0 on. */
const MOST_NAMES = 710;

const isCheck = process.argv.includes("--check");
const { changed, hidden, names } = readApi({ write: !isCheck });
const folder = relative(root, REPORTS);
for (const { name, difference } of changed)
  console.log(`${isCheck ? "differs" : "written"}: ${folder}/${name}.api.md: ${difference}`);
const mistakes = hidden.map(
  ({ entry, type }) =>
    `A signature of ${entry} names the type ${type}, which no entry exports. Export it, or write it out in the signature.`,
);
if (names.size > MOST_NAMES)
  mistakes.push(
    `The entries export ${names.size} names, and at most ${MOST_NAMES} are allowed. Remove a name that no user needs.`,
  );
if (isCheck && changed.length > 0)
  mistakes.push(
    "The exports of these packages have changed. Run `npm run generate -- api`, read the difference as a user would, and add a changeset.",
  );
for (const mistake of mistakes) console.error(mistake);
if (isCheck && mistakes.length > 0) process.exitCode = 1;
