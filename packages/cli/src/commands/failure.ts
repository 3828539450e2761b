import type { CallError } from "@fieldmesh/http";
import { CommandError, shownPath } from "@fieldmesh/sandbox/internal/commands";
import { exitCodes } from "../exit-codes.ts";
import { printable, printableJson } from "../output/printable.ts";
import { ClosedPipeError, isClosedPipe } from "../output/output.ts";
import { inWordsOfAShell } from "../shell-words.ts";

/** How the failure of a command is reported. */
export interface Failure {
  readonly exitCode: number;
  /** `undefined` if there is nothing to report. */
  readonly report: Report | undefined;
}

/** What is printed on stderr. With `--json`, it is one object. */
export interface Report {
  /** The name of the error. */
  readonly name: string;
  /** One line. */
  readonly message: string;
  /** The page about the error, if it has one. */
  readonly docs?: string | undefined;
}

/** Says what went wrong in one line. An unexpected error does not show its stack. */
export async function describeFailure(error: unknown): Promise<Failure> {
  if (error instanceof ClosedPipeError || isClosedPipe(error))
    return { exitCode: exitCodes.done, report: undefined };
  // Not imported above, because help does not need it.
  const { isFieldmeshError } = await import("@fieldmesh/core");
  if (error instanceof CommandError) {
    const { message, exitCode, cause } = error;
    const { name, docs } = isFieldmeshError(cause) ? cause : { name: "CliError", docs: undefined };
    return { exitCode, report: { name, message, docs } };
  }
  if (!isFieldmeshError(error))
    return systemFailure(error) ?? { exitCode: exitCodes.failed, report: unexpected(error) };
  const { CallError } = await import("@fieldmesh/http");
  const { name, message, docs } = error;
  return {
    exitCode: error instanceof CallError ? exitCodeOf(error) : exitCodes.failed,
    report: { name, message: inWordsOfAShell(oneLine(message)), docs },
  };
}

/** Formats a report: a sentence with the page below it, or one line of JSON. */
export function formatReport({ name, message, docs }: Report, isJson: boolean): string {
  if (isJson) return `${printableJson(JSON.stringify({ name, message, docs }))}\n`;
  return `fieldmesh: ${printable(message)}\n${docs === undefined ? "" : `See ${docs}\n`}`;
}

const MISTAKES: ReadonlySet<string> = new Set(["InputError", "CredentialError"]);

function exitCodeOf({ name, outcome, route }: CallError): number {
  if (MISTAKES.has(name)) return exitCodes.usage;
  const mayBeDone = outcome === "unknown" || outcome === "applied";
  return mayBeDone && !route.startsWith("GET ") ? exitCodes.unknown : exitCodes.failed;
}

/** What a user can do about an error of the operating system, by its code. The same command would fail again. */
const MISTAKEN: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist: check the path",
  EACCES: "you have no permission: choose another path, or change its mode",
  EPERM: "the system does not permit this: choose another path",
  EISDIR: "it is a folder: enter the path of a file",
  ENOTDIR: "part of the path is a file: check the path",
  EROFS: "the disk is read-only: choose another path",
  EADDRINUSE: "the port is in use: choose another one",
};

/** The same command may succeed later. */
const PASSING: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full: free some space and run the command again",
  EDQUOT: "your disk quota is used up: free some space and run the command again",
  EMFILE: "too many files are open: close other programs, or raise the limit with ulimit -n",
  EIO: "the disk or terminal failed: check it and run the command again",
  EFBIG: "the file is too large for the disk: choose another one",
};

function systemFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", path, syscall } = error as NodeJS.ErrnoException;
  const advice = MISTAKEN[code] ?? PASSING[code];
  if (advice === undefined) return undefined;
  const file = path === undefined ? undefined : shownPath(path, "The file or folder");
  const what = file ?? (syscall === "write" ? "What the command prints" : syscall);
  return {
    exitCode: code in MISTAKEN ? exitCodes.usage : exitCodes.failed,
    report: { name: code, message: `${what === undefined ? "" : `${what}: `}${advice}.` },
  };
}

/** Returns only the name and the place of an error, because its message may quote anything. */
function unexpected(error: unknown): Report {
  const [name, place] = error instanceof Error ? [error.name, placeOf(error)] : [typeof error];
  const what = [name, place].filter(Boolean).join(" at ");
  return {
    name,
    message: `This is a bug in fieldmesh (${what}). Please report it with the command that you ran.`,
  };
}

/** Returns the file and line of the first stack frame, without the folders of this machine. */
function placeOf({ stack = "" }: Error): string | undefined {
  const frame = stack.split("\n").find((line) => line.trimStart().startsWith("at "));
  return frame?.slice(frame.lastIndexOf("/") + 1).replace(")", "");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
