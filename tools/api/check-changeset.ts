// npm run release -- check-changeset <branch>: names the packages whose exports have changed since a branch without a changeset.
import { basename } from "node:path";
import { readChangesets } from "@changesets/read";
import { exec } from "../exec.ts";
import { root } from "../packages.ts";
import { withoutChangeset } from "./need-changeset.ts";

const [base = "origin/main"] = process.argv.slice(2);
const changed = (await exec("git", ["diff", "--name-only", `${base}...HEAD`])).trim().split("\n");
const added = new Set(
  changed.filter((file) => file.startsWith(".changeset/")).map((file) => basename(file, ".md")),
);
const changesets = (await readChangesets(root)).filter(({ id }) => added.has(id));
const named = new Set(changesets.flatMap(({ releases }) => releases.map(({ name }) => name)));
for (const name of withoutChangeset(changed, named)) {
  console.error(
    `The exports or commands of ${name} have changed since ${base}, and no changeset of this branch names it. Run \`npm run changeset\`.`,
  );
  process.exitCode = 1;
}
