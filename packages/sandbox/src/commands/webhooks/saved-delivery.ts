import { type AnyRecord, parseJson, readStamp } from "@fieldmesh/core/internal";
import type { SignedMessage, VerifierOptions } from "@fieldmesh/webhook-types";
import { type CommandContext, type CommandInput, textOf } from "../command.ts";
import { UsageError } from "../command-error.ts";
import { readInputFile } from "../read-input.ts";

/** Reads a delivery from the files that `--headers` and `--body` name. */
export async function readSavedDelivery(
  { signal }: CommandContext,
  input: CommandInput,
): Promise<SignedMessage> {
  const headers = await readInputFile("headers", textOf(input, "headers") ?? "", signal);
  const body = await readInputFile("body", textOf(input, "body") ?? "", signal);
  return { headers: readHeaders(headers.toString("utf8")), body: new Uint8Array(body) };
}

/** Reads headers from `Name: value` lines or from a JSON object. */
function readHeaders(text: string): Headers {
  try {
    return new Headers(text.trimStart().startsWith("{") ? jsonEntries(text) : lineEntries(text));
  } catch {
    throw new UsageError(
      'The --headers file needs lines such as "Platform-Signature: t=…", or a JSON object.',
    );
  }
}

function jsonEntries(text: string): [string, string][] {
  // JSON that begins with a brace is an object.
  return Object.entries(parseJson(text) as AnyRecord).flatMap(([name, each]) =>
    [each].flat().map((item): [string, string] => [name, String(item)]),
  );
}

function lineEntries(text: string): [string, string][] {
  return (
    text
      .split("\n")
      // A saved request may begin with its request line.
      .filter((line) => line.trim() !== "" && !/^[A-Z]+ \S+ HTTP\//.test(line))
      .map((line): [string, string] => {
        // Headers rejects an empty name, and trims the value itself.
        const at = Math.max(line.indexOf(":"), 0);
        return [line.slice(0, at).trim(), line.slice(at + 1)];
      })
  );
}

/** Returns the options for the check of the age. Without `--at`, a saved delivery may have any age. */
export function arrivalOptions(input: CommandInput): Pick<VerifierOptions, "now" | "tolerance"> {
  const text = textOf(input, "at");
  if (text === undefined) return { tolerance: Number.POSITIVE_INFINITY };
  const at = readStamp(text);
  if ("why" in at) throw new UsageError(`--at ${at.why}. Pass the time of arrival.`);
  return { now: () => at.time };
}
