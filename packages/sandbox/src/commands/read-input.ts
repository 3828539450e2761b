import { readFile } from "node:fs/promises";
import { findSettingMistake, isLoopback, Secret } from "@fieldmesh/core";
import { UsageError } from "./command-error.ts";
import type { CommandContext, CommandInput } from "./command.ts";

/** The value of an option; `undefined` where it is missing, or a switch. */
export function textOf({ options }: CommandInput, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** Reads a whole number; throws a UsageError. */
export function readInteger(name: string, text: string, max: number): number {
  if (!/^\d+$/.test(text) || Number(text) > max)
    throw new UsageError(`--${name} takes a whole number from 0 to ${max}, not "${text}".`);
  return Number(text);
}

/** Reads an address of this machine: events that are made for a test go nowhere else. */
export function readLocalUrl(name: string, text: string | undefined): URL {
  const url = readUrl(name, text);
  if (isLoopback(url.hostname)) return url;
  throw new UsageError(`--${name} takes an address of this machine: 127.0.0.1 or localhost.`);
}

/** Reads where real events go: to this machine, or anywhere by https. */
export function readReceiverUrl(name: string, text: string | undefined): URL {
  const url = readUrl(name, text);
  if (isLoopback(url.hostname) || url.protocol === "https:") return url;
  throw new UsageError(
    `--${name} takes an address of this machine or one with https: real events have personal data.`,
  );
}

function readUrl(name: string, text: string | undefined): URL {
  if (text === undefined || !URL.canParse(text) || !/^https?:/.test(text))
    throw new UsageError(`--${name} takes an address such as http://127.0.0.1:4010.`);
  const url = new URL(text);
  // It would be printed, and fetch rejects it.
  if (url.username !== "" || url.password !== "")
    throw new UsageError(`--${name} takes an address without a user name or password.`);
  return url;
}

/** An address as it is printed: a query may hold a token. */
export function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

const INSTEAD = "set FIELDMESH_WEBHOOK_SECRET, or use --secret-file";

/** Reads the signing secret from the command line, a file, the environment or the terminal, in this order. */
export async function readSecret(context: CommandContext, input: CommandInput): Promise<Secret> {
  return (
    (await readSecretIfGiven(context, input)) ??
    checkSecret(await context.prompt.secret("Signing secret", INSTEAD), "The signing secret")
  );
}

/** As readSecret, and `undefined` where there is none. Never asks. */
export async function readSecretIfGiven(
  { env }: CommandContext,
  input: CommandInput,
): Promise<Secret | undefined> {
  const given = textOf(input, "secret");
  if (given !== undefined) return checkSecret(given, "--secret");
  const file = textOf(input, "secretFile");
  if (file !== undefined) {
    const text = await readInputFile("secret-file", file);
    // An editor ends a file with a line break.
    return checkSecret(text.toString("utf8").replace(/\r?\n$/, ""), `The secret in ${file}`);
  }
  const variable = env["FIELDMESH_WEBHOOK_SECRET"];
  return variable ? checkSecret(variable, "FIELDMESH_WEBHOOK_SECRET") : undefined;
}

function checkSecret(text: string, where: string): Secret {
  const mistake = findSettingMistake(text);
  if (mistake !== undefined) throw new UsageError(`${where} ${mistake}`);
  return new Secret(text);
}

/** Reads a file that an option names; throws a UsageError. */
export async function readInputFile(name: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "does not exist" : "cannot be read";
    throw new UsageError(`${path} ${why}: --${name} takes the name of a file.`);
  }
}

const MAX_PORT = 65_535;

/** Reads the option `--port`; 0, which is any free one, without it. */
export function readPort(input: CommandInput): number {
  return readInteger("port", textOf(input, "port") ?? "0", MAX_PORT);
}
