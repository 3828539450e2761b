/** How many problems of an input, a response or an event are listed. */
export const MAX_PROBLEMS = 20;

const MORE = { path: "", message: "has more problems, which are not listed" };

/** Returns the first problems of a list. If there are more, the last one says so. */
export function firstProblems<P extends typeof MORE>(problems: readonly P[]): (P | typeof MORE)[] {
  if (problems.length <= MAX_PROBLEMS) return [...problems];
  return [...problems.slice(0, MAX_PROBLEMS - 1), MORE];
}

/** Returns how many problems a message leaves out, such as `and 3 more`. */
export function sayMore(problems: readonly unknown[], shown: number): string {
  const rest = problems.length - shown;
  return `and ${problems.length < MAX_PROBLEMS ? "" : "at least "}${rest} more`;
}
