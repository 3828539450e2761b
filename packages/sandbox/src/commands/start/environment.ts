import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "@fieldmesh/core";
import type { RunningSandbox } from "../../server/start-sandbox.ts";
import { services } from "../../services.ts";
import { UsageError } from "../command-error.ts";

/** Where a sandbox listens and what it accepts, as environment variables: such as `CONSOLE_URL` and `CONSOLE_KEY`. */
export function environmentOf(sandbox: RunningSandbox<Clock>): Readonly<Record<string, string>> {
  const entries = services.flatMap(({ name, credential }) => {
    const { baseUrl, apiKey = sandbox.apiKey }: Address = sandbox[name];
    const prefix = name.toUpperCase();
    const key = [`${prefix}_KEY`, apiKey] as const;
    return [[`${prefix}_URL`, baseUrl] as const, ...(credential === undefined ? [] : [key])];
  });
  return Object.fromEntries(entries);
}

/** A service with a key of its own has it beside its address. */
interface Address {
  readonly baseUrl: string;
  readonly apiKey?: string;
}

/** The lines that a shell reads. No value has a character that a shell reads otherwise. */
export function exportLines(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(([name, value]) => `export ${name}=${value}`);
}

const MARK = "# Written by fieldmesh-sandbox, which may write it again.";

/** Throws a UsageError for a file that it has not written: a .env often holds real keys. */
export function checkEnvironmentFile(file: string): void {
  const found = readIfThere(file);
  if (found !== undefined && !found.startsWith(MARK))
    throw new UsageError(
      `${file} exists and was not written by a sandbox, so it was not changed. Choose another name for --env.`,
    );
}

/** Writes the variables to a file that only this user can read. What was there, a link too, is replaced and never written through. */
export function writeEnvironmentFile(
  file: string,
  variables: Readonly<Record<string, string>>,
): void {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const written = join(dirname(file), `.fieldmesh-sandbox-${process.pid}.env`);
  try {
    writeFileSync(written, [MARK, ...lines, ""].join("\n"), { mode: 0o600 });
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
