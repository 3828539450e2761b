import { inputProblem, type PartsByTime } from "@fieldmesh/http/internal";

export type TimeRange = ReturnType<typeof readTimeRange>;

/** Reads the times of a query: as they are sent, and in milliseconds. Throws an InputError for an invalid time. */
export function readTimeRange(
  context: { readonly call: string; readonly route: string },
  query: Readonly<Record<string, string>>,
  names: { readonly min: string; readonly max: string },
  { readTime }: Pick<PartsByTime, "readTime">,
) {
  const now = Date.now();
  const read = (name: string, text: string, base: number): number => {
    const time = readTime(text, base);
    if (time !== undefined) return time;
    throw inputProblem(
      context,
      name,
      "must be a Date, ISO 8601, or a relative time such as `-3 day` (hour, day or week), so that `parallel` can split it",
    );
  };
  /** An absolute time is sent as it was written. */
  const write = (text: string, time: number): string =>
    readTime(text, 0) === time ? text : new Date(time).toISOString();

  const min = query[names.min];
  const missing = "is required by `parallel`, which splits the time that follows";
  if (min === undefined) throw inputProblem(context, names.min, missing);
  const max = query[names.max] ?? new Date(now).toISOString();
  const to = read(names.max, max, now);
  const from = read(names.min, min, to);
  return { min: write(min, from), max: write(max, to), from, to };
}
