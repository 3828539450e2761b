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
    .replaceAll(/\bin (line|entry) \d+/g, "in another $1")
    .replaceAll(/ as digit \d+/g, "")
    .replace(/ has (the .+), and \1$/, " has $1, twice")
    .replace(/\bwith decimals: write \d+$/, "with decimals: write them without the decimals")
    .replace(/\bwrite ([\dA-F]{16})$/, "write them again");
}

/** Such as `lines 437, 534 and 20 more`, and `entry 2` for a device among others in its line. */
export function sayLines(lines: readonly number[]): string {
  const isCounted = lines.some((line) => line < 0);
  const numbers = lines.map(Math.abs);
  if (numbers.length === 1) return `${isCounted ? "entry" : "line"} ${numbers.join("")}`;
  const listed = numbers.length <= LISTED ? numbers.slice(0, -1) : numbers.slice(0, 2);
  const last = numbers.length <= LISTED ? numbers.at(-1) : `${numbers.length - listed.length} more`;
  return `${isCounted ? "entries" : "lines"} ${listed.join(", ")} and ${last}`;
}
