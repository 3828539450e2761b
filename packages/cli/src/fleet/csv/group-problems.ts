/** A problem of one row. */
export interface LineProblem {
  readonly line: number;
  readonly problem: string;
}

/** Lines that are all listed. Of more, the first two are. */
const LISTED = 3;

/** Describes problems by what is wrong, such as `the app_key is missing: lines 437, 534 and 20 more`. */
export function groupProblems(problems: readonly LineProblem[]): string[] {
  const groups = Map.groupBy(problems, ({ problem }) => inGeneral(problem));
  return [...groups].map(([general, group]) => {
    const [first] = group;
    const what = group.length === 1 && first !== undefined ? first.problem : general;
    return `${what}: ${sayLines(group.map(({ line }) => line))}`;
  });
}

/** Duplicates of different lines, a character in different places, and EUIs with as many zeros lost have the same problem. */
function inGeneral(problem: string): string {
  return problem
    .replaceAll(/\bin line \d+/g, "in another line")
    .replaceAll(/ as digit \d+/g, "")
    .replace(/ has (the .+), and \1$/, " has $1, twice")
    .replace(/\bwith decimals: write \d+$/, "with decimals: write them without the decimals")
    .replace(/\bwrite ([\dA-F]{16})$/, "write them again");
}

/** Such as `lines 437, 534 and 20 more`. */
export function sayLines(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines.join("")}`;
  const listed = lines.length <= LISTED ? lines.slice(0, -1) : lines.slice(0, 2);
  const last = lines.length <= LISTED ? lines.at(-1) : `${lines.length - listed.length} more`;
  return `lines ${listed.join(", ")} and ${last}`;
}
