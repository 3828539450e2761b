import { names } from "../packages.ts";

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
