import type { Rows } from "./row.ts";

/** Adds the service that a command line leaves out: `labels list` is `console labels list`. `known` are the commands of other kinds. */
export async function withService(
  args: readonly string[],
  known: readonly string[],
): Promise<readonly string[]> {
  const at = args.findIndex((word) => !word.startsWith("-"));
  const [first, second] = args.slice(at);
  if (at === -1 || second === undefined) return args;
  if (known.some((path) => path === first || path.startsWith(`${first} ${second}`))) return args;
  const found = shortPaths(await readRows()).find(({ path }) => path === `${first} ${second}`);
  if (found === undefined) return args;
  return [...args.slice(0, at), found.service, ...args.slice(at)];
}

/** Returns the words that can come next in a line that leaves out the service, each with a line of help. */
export async function nextWithoutService(
  words: readonly string[],
): Promise<readonly (readonly [word: string, about: string])[]> {
  const [first, ...more] = words.filter((word) => !word.startsWith("-"));
  if (more.length > 0) return [];
  const rows = await readRows();
  return shortPaths(rows).flatMap(({ service, path, summary }): (readonly [string, string])[] => {
    const [resource = "", verb = ""] = path.split(" ");
    if (first === undefined)
      return [[resource, rows[service].groups[`${service} ${resource}`] ?? ""]];
    return first === resource ? [[verb, summary]] : [];
  });
}

/** A command without its service, such as `labels list`. */
interface ShortPath {
  readonly service: keyof Rows;
  readonly path: string;
  readonly summary: string;
}

/** Returns the commands that only one service has. */
function shortPaths(rows: Rows): readonly ShortPath[] {
  const all = (Object.keys(rows) as (keyof Rows)[]).flatMap((service) =>
    rows[service].commands.map(({ path, summary }): ShortPath => ({
      service,
      path: path.split(" ").slice(1).join(" "),
      summary,
    })),
  );
  const counts = new Map<string, number>();
  for (const { path } of all) counts.set(path, (counts.get(path) ?? 0) + 1);
  return all.filter(({ path }) => path.includes(" ") && counts.get(path) === 1);
}

/** Returns the paths of all commands that are generated from the tables. */
export async function rowPaths(): Promise<readonly string[]> {
  return Object.values(await readRows()).flatMap(({ commands }) =>
    commands.map(({ path }) => path),
  );
}

/** Reads the rows of all services. */
export async function readRows(): Promise<Rows> {
  const { default: rows } = await import("../generated/rows.json", { with: { type: "json" } });
  // A generator writes this file, and a test compares them.
  return rows as unknown as Rows;
}
