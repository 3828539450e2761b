// npm run release -- check-changeset <branch>: names the packages whose exports have changed since a branch without a changeset.
import { basename } from "node:path";
import { readChangesets } from "@changesets/read";
import { exec } from "../exec.ts";
import { names, root } from "../packages.ts";

/** The command line exports nothing: its rows are what users notice. */
const COMMANDS = /^packages\/(cli)\/src\/.*commands\.ts$/;
const REPORT = /(?:^|\/)tools\/api\/reports\/(.+)\.api\.md$/;

/** Returns the packages whose report or commands have changed and that no changeset names. */
export function withoutChangeset(
  changedFiles: readonly string[],
  named: ReadonlySet<string>,
): string[] {
  const reports = changedFiles.flatMap((file) => REPORT.exec(file)?.[1] ?? []);
  const commands = changedFiles.flatMap((file) => COMMANDS.exec(file)?.[1] ?? []);
  const packages = new Set([...reports, ...commands].map((id) => `${names.scope}/${id}`));
  return [...packages].filter((name) => !named.has(name));
}

if (import.meta.main) {
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
}
