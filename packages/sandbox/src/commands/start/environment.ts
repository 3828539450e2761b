import { readFileSync } from "node:fs";
import type { Clock } from "@fieldmesh/core";
import { linesOf, type ServiceAddress, variablesOf } from "../../engine/controls/environment.ts";
import { replaceFile } from "../../server/replace-file.ts";
import type { RunningSandbox } from "../../server/start-sandbox.ts";
import { services } from "../../services.ts";
import { UsageError } from "../command-error.ts";
import { shownPath } from "../shown-path.ts";

/** The number of the account that the samples read: it has rewards, hotspots and payments. */
const SAMPLE_ACCOUNT = 7;

/** Returns the addresses and keys of a sandbox as environment variables, such as `CONSOLE_URL` and `CONSOLE_KEY`, an account, and its own. */
export function environmentOf(sandbox: RunningSandbox<Clock>): Readonly<Record<string, string>> {
  const addresses = services.map(({ name, credential }): ServiceAddress => {
    const { baseUrl, apiKey = sandbox.apiKey }: { baseUrl: string; apiKey?: string } =
      sandbox[name];
    return { service: name, baseUrl, ...(credential !== undefined && { key: apiKey }) };
  });
  return variablesOf(addresses, sandbox.page, {
    LEDGER_ACCOUNT: sandbox.ledger.state.chain.addresses.of(SAMPLE_ACCOUNT),
  });
}

export function exportLines(variables: Readonly<Record<string, string>>): string[] {
  return linesOf(variables).map((line) => `export ${line}`);
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
  try {
    replaceFile(file, [MARK, ...linesOf(variables), ""].join("\n"));
  } catch {
    throw new UsageError(`${called(file)} cannot be written. Choose another name for --env.`);
  }
}

const called = (file: string): string => shownPath(file, "The file");

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new UsageError(`${called(file)} cannot be read. Choose another name for --env.`);
  }
}
