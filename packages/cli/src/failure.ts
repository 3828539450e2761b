import type { CallError } from "@fieldmesh/http";
import { CliError, exitCodes } from "./exit-codes.ts";
import { ClosedPipeError, isClosedPipe } from "./output/sink.ts";
import { inWordsOfAShell } from "./shell-words.ts";

/** How a command that failed is reported. */
export interface Failure {
  readonly exitCode: number;
  /** `undefined` where there is nothing to tell. */
  readonly sentence: string | undefined;
}

/** Says what went wrong in one line. An error that nobody expected keeps its stack to itself. */
export async function describeFailure(error: unknown): Promise<Failure> {
  if (error instanceof CliError) return { exitCode: error.exitCode, sentence: error.message };
  if (error instanceof ClosedPipeError || isClosedPipe(error))
    return { exitCode: exitCodes.done, sentence: undefined };
  // Not imported above, because help does not need it.
  const { isCallError } = await import("@fieldmesh/http");
  if (isCallError(error))
    return { exitCode: exitCodeOf(error), sentence: inWordsOfAShell(oneLine(error.message)) };
  const system = systemFailure(error);
  if (system !== undefined) return system;
  const { isFieldmeshError } = await import("@fieldmesh/core");
  if (isFieldmeshError(error))
    return { exitCode: exitCodes.failed, sentence: oneLine(error.message) };
  return { exitCode: exitCodes.failed, sentence: unexpected(error) };
}

const MISTAKES: ReadonlySet<string> = new Set(["InputError", "CredentialError"]);

function exitCodeOf({ name, outcome, route }: CallError): number {
  if (MISTAKES.has(name)) return exitCodes.usage;
  const mayBeDone = outcome === "unknown" || outcome === "applied";
  return mayBeDone && !route.startsWith("GET ") ? exitCodes.unknown : exitCodes.failed;
}

/** What a user can do about an error of the operating system, by its code. These do not go away by themselves. */
const MISTAKEN: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder: check the path",
  EACCES: "you have no permission: choose another path, or change its mode",
  EPERM: "the system does not allow it: choose another path",
  EISDIR: "it is a folder: give the path of a file",
  ENOTDIR: "a part of the path is a file: check the path",
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
  const what = path ?? (syscall === "write" ? "What the command prints" : syscall);
  return {
    exitCode: code in MISTAKEN ? exitCodes.usage : exitCodes.failed,
    sentence: `${what === undefined ? "" : `${what}: `}${advice}.`,
  };
}

/** Its message may quote anything, so its name and place are all that is told. */
function unexpected(error: unknown): string {
  const [name, place] = error instanceof Error ? [error.name, placeOf(error)] : [typeof error];
  const what = [name, place].filter(Boolean).join(" at ");
  return `This is a mistake in fieldmesh (${what}): please report it with the command that you ran.`;
}

/** The file and line of the first frame, without the folders of this machine. */
function placeOf({ stack = "" }: Error): string | undefined {
  const frame = stack.split("\n").find((line) => line.trimStart().startsWith("at "));
  return frame?.slice(frame.lastIndexOf("/") + 1).replace(")", "");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
