import { findSettingMistake, isLoopback, Secret } from "@fieldmesh/core/internal";
import { UsageError } from "./command-error.ts";
import { type CommandContext, type CommandInput, textOf } from "./command.ts";
import { sharedFileWarning } from "./is-shared-file.ts";
import { readFileOrPipe } from "./read-stream.ts";
import { shownPath } from "./shown-path.ts";

/** Reads a whole number. Throws a UsageError for any other string. */
export function readInteger(name: string, text: string, max: number): number {
  if (!/^\d+$/.test(text) || Number(text) > max)
    throw new UsageError(`--${name} needs a whole number from 0 to ${max}.`);
  return Number(text);
}

/** Reads an address of this machine. Test events are sent nowhere else. */
export function readLocalUrl(name: string, text: string | undefined): URL {
  const url = readUrl(name, text);
  if (isLoopback(url.hostname)) return url;
  throw new UsageError(`--${name} needs an address of this machine: 127.0.0.1 or localhost.`);
}

/** Reads an address for real events: this machine, or any host with https. */
export function readReceiverUrl(name: string, text: string | undefined): URL {
  const url = readUrl(name, text);
  if (isLoopback(url.hostname) || url.protocol === "https:") return url;
  throw new UsageError(
    `--${name} needs an address of this machine or one with https, because real events contain personal data.`,
  );
}

function readUrl(name: string, text: string | undefined): URL {
  if (text === undefined || !URL.canParse(text) || !/^https?:/.test(text))
    throw new UsageError(`--${name} needs an address such as http://127.0.0.1:3000/hooks.`);
  const url = new URL(text);
  // The address is printed, and fetch rejects one with a password.
  if (url.username !== "" || url.password !== "")
    throw new UsageError(`--${name} needs an address without a user name or password.`);
  return url;
}

const INSTEAD = "set FIELDMESH_WEBHOOK_SECRET, or use --secret-file";

/** Reads the signing secret from the command line, a file, the environment or the terminal, in this order. */
export async function readSecret(context: CommandContext, input: CommandInput): Promise<Secret> {
  return (
    (await readSecretIfGiven(context, input)) ??
    checkSecret(await context.prompt.secret("Signing secret", INSTEAD), "The signing secret")
  );
}

/** Reads the signing secret like readSecret, but never asks. Returns `undefined` if there is none. */
export async function readSecretIfGiven(
  context: CommandContext,
  input: CommandInput,
): Promise<Secret | undefined> {
  const given = textOf(input, "secret");
  if (given !== undefined) return checkSecret(given, "--secret");
  const file = textOf(input, "secretFile");
  if (file !== undefined) {
    const text = await readInputFile("secret-file", file, context.signal);
    const warning = await sharedFileWarning(file);
    if (warning) context.output.note(warning);
    // An editor ends a file with a line break.
    return checkSecret(text.toString("utf8").replace(/\r?\n$/, ""), `The secret in ${file}`);
  }
  const variable = context.env["FIELDMESH_WEBHOOK_SECRET"];
  return variable ? checkSecret(variable, "FIELDMESH_WEBHOOK_SECRET") : undefined;
}

function checkSecret(text: string, where: string): Secret {
  const mistake = findSettingMistake(text);
  if (mistake !== undefined) throw new UsageError(`${where} ${mistake}`);
  return new Secret(text);
}

/** Reads a file or a pipe that an option names. Throws a UsageError if it cannot be read. The signal ends the wait for a pipe. */
export async function readInputFile(
  name: string,
  path: string,
  signal: AbortSignal,
): Promise<Buffer> {
  try {
    return await readFileOrPipe(path, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "does not exist" : "cannot be read";
    const file = shownPath(path, "The file");
    throw new UsageError(`${file} ${why}: --${name} needs the name of a file.`);
  }
}

export const MAX_PORT = 65_535;

/** Reads the option `--port`. Default: 0, which is any free port. */
export function readPort(input: CommandInput): number {
  return readInteger("port", textOf(input, "port") ?? "0", MAX_PORT);
}
