// Checks the commits since the one that added this file: npm run release -- check-commits. `.ci/run` does so too.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { exec } from "./exec.ts";
import { root } from "./packages.ts";

const LONGEST_SUBJECT = 72;
const SHORT_ID = 8;
/** Several packages at once, and the pull request of a release. */
const OTHER_AREAS = ["packages", "clients", "release"];
/** It reached main before anyone ran the check, and what is on main keeps its name. */
const EXCUSED: ReadonlySet<string> = new Set(["f69d16a92f02edd0adba88284d07457be1953fb8"]);

/** Returns what is wrong with the commits of a checkout, one line each, or why they cannot be read. */
export async function checkCommits(
  folder: string,
): Promise<{ problems: string[]; skipped?: string }> {
  const git = (...args: string[]): Promise<string> => exec("git", args, { cwd: folder });
  const isShallow = await git("rev-parse", "--is-shallow-repository").catch(() => undefined);
  if (isShallow === undefined) return { problems: [], skipped: "this is no checkout of Git" };
  if (isShallow.trim() === "true") return { problems: [], skipped: "the checkout has no history" };
  const added = await git("log", "--diff-filter=A", "--format=%H", "--", "tools/commits.ts");
  const first = added.trim().split("\n").at(-1) ?? "";
  if (first === "") return { problems: [], skipped: "the check is not committed yet" };
  const log = await git(
    "log",
    "--no-merges",
    "--name-only",
    "--format=%x01%H%x02%s%x02%b%x02",
    `${first}^..`,
  );
  const areas = new Set([
    ...OTHER_AREAS,
    ...foldersOf(folder),
    ...foldersOf(join(folder, "packages")),
  ]);
  return {
    problems: log
      .split("\x01")
      .slice(1)
      .flatMap((commit) => problemsOf(commit, areas)),
  };
}

function problemsOf(commit: string, areas: ReadonlySet<string>): string[] {
  const [id = "", subject = "", body = "", files = ""] = commit.split("\x02");
  if (EXCUSED.has(id)) return [];
  const [prefix = ""] = subject.split(": ");
  const problems = [
    subject.length > LONGEST_SUBJECT &&
      `the subject has ${subject.length} characters: at most ${LONGEST_SUBJECT}`,
    !(subject.includes(": ") && prefix.split(", ").every((area) => areas.has(area))) &&
      'the subject must begin with a package or a folder, such as "http: …" or "docs, tools: …"',
    body.trim() === "" &&
      /^packages\/[^/]+\/src\//m.test(files) &&
      "the sources of a package changed: the body must say why",
  ];
  return problems
    .filter((each) => each !== false)
    .map((problem) => `${id.slice(0, SHORT_ID)} ${subject}\n  ${problem}`);
}

/** Names folders as subjects do: `.ci` is `ci`. */
function foldersOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name.replace(/^\./, ""));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { problems, skipped } = await checkCommits(root);
  if (skipped !== undefined) console.log(`The commits were not checked: ${skipped}.`);
  if (problems.length > 0) {
    console.error([...problems, "Reword these commits with git rebase --interactive."].join("\n"));
    process.exitCode = 1;
  }
}
