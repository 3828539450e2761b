import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "@fieldmesh/core";
import type { RunningSandbox } from "../../server/start-sandbox.ts";
import { services } from "../../services.ts";
import { UsageError } from "../command-error.ts";

/** Returns the addresses and keys of a sandbox as environment variables, such as `CONSOLE_URL` and `CONSOLE_KEY`, and its own. */
export function environmentOf(sandbox: RunningSandbox<Clock>): Readonly<Record<string, string>> {
  const entries = services.flatMap(({ name, credential }) => {
    const { baseUrl, apiKey = sandbox.apiKey }: Address = sandbox[name];
    const prefix = name.toUpperCase();
    const key = [`${prefix}_KEY`, apiKey] as const;
    return [[`${prefix}_URL`, baseUrl] as const, ...(credential === undefined ? [] : [key])];
  });
  return { ...Object.fromEntries(entries), FIELDMESH_SANDBOX: sandbox.page };
}

/** The address of a service, and its key if it has its own. */
interface Address {
  readonly baseUrl: string;
  readonly apiKey?: string;
}

/** Returns the variables as lines for a shell. */
export function exportLines(variables: Readonly<Record<string, string>>): string[] {
  return linesOf(variables).map((line) => `export ${line}`);
}

/** In quotes where a shell, or Node in a .env file, could read `#` as the beginning of a comment. */
function linesOf(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(
    ([name, value]) => `${name}=${value.includes("#") ? `"${value}"` : value}`,
  );
}

const MARK = "# Written by fieldmesh-sandbox, which may write it again.";

/** Throws a UsageError if the file exists and was not written by this program, because a .env often holds real keys. */
export function checkEnvironmentFile(file: string): void {
  const found = readIfThere(file);
  if (found !== undefined && !found.startsWith(MARK))
    throw new UsageError(
      `${file} exists and was not written by a sandbox, so it was not changed. Choose another name for --env.`,
    );
}

/** Writes the variables to a file that only this user can read. Replaces an existing file. If it is a link, replaces the link, not its target. */
export function writeEnvironmentFile(
  file: string,
  variables: Readonly<Record<string, string>>,
): void {
  const written = join(dirname(file), `.fieldmesh-sandbox-${process.pid}.env`);
  try {
    writeFileSync(written, [MARK, ...linesOf(variables), ""].join("\n"), { mode: 0o600 });
    renameSync(written, file);
  } catch {
    throw new UsageError(`${file} cannot be written. Choose another name for --env.`);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new UsageError(`${file} cannot be read. Choose another name for --env.`);
  }
}
