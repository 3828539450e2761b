/** How many problems are named, of an input, a response or an event. */
export const MAX_PROBLEMS = 20;

const MORE = { path: "", message: "has more problems, which are not listed" };

/** The first problems of a list; the last one says where there are more. */
export function firstProblems<P extends typeof MORE>(problems: readonly P[]): (P | typeof MORE)[] {
  if (problems.length <= MAX_PROBLEMS) return [...problems];
  return [...problems.slice(0, MAX_PROBLEMS - 1), MORE];
}

/** Says how many problems follow the ones that a message shows: `and 3 more`. */
export function sayMore(problems: readonly unknown[], shown: number): string {
  const rest = problems.length - shown;
  return `and ${problems.length < MAX_PROBLEMS ? "" : "at least "}${rest} more`;
}
