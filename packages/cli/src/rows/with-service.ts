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
  const services = Object.entries(await readRows()).filter(([, { commands }]) =>
    commands.some(({ path }) => path.split(" ").slice(1).join(" ") === `${first} ${second}`),
  );
  const [service, ...others] = services;
  if (service === undefined || others.length > 0) return args;
  return [...args.slice(0, at), service[0], ...args.slice(at)];
}

/** Returns the paths of all commands that are generated from the tables. */
export async function rowPaths(): Promise<readonly string[]> {
  return Object.values(await readRows()).flatMap(({ commands }) =>
    commands.map(({ path }) => path),
  );
}

async function readRows(): Promise<Rows> {
  const { default: rows } = await import("../generated/rows.json", { with: { type: "json" } });
  // A generator writes this file, and a test compares them.
  return rows as unknown as Rows;
}
