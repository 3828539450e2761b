import type { Writable } from "node:stream";
import { isRecord, stringifyJson } from "@fieldmesh/core/internal";
import type { CommandContext, CommandOutput } from "../command.ts";
import { UsageError } from "../command-error.ts";
import { readNamedServices } from "../named-services.ts";

export const PROGRAM = "fieldmesh-sandbox";

/** Where the program runs: the process, or what a test has instead. */
export interface ProgramProcess {
  readonly stdout: Writable & { readonly columns?: number };
  readonly stderr: Writable;
  readonly env: NodeJS.ProcessEnv;
}

export function createContext(
  how: Pick<CommandOutput, "isJson" | "isQuiet">,
  { stdout, stderr, env }: ProgramProcess,
  signal: AbortSignal,
): CommandContext {
  return {
    program: PROGRAM,
    output: createOutput(how, stdout, stderr),
    prompt: {
      // Hidden input needs a terminal library, and a server for tests should not depend on one.
      secret: (_question, instead) =>
        Promise.reject(new UsageError(`The signing secret is missing: ${instead}.`)),
    },
    env,
    signal,
    // A secret that the sandbox created is valid only for this sandbox.
    reveal: true,
    client: async () => {
      const named = await readNamedServices(env, signal);
      const { MOBILE_URL, MOBILE_KEY } = env;
      const { baseUrl, apiKey } = named?.mobile ?? { baseUrl: MOBILE_URL, apiKey: MOBILE_KEY };
      if (!baseUrl || !apiKey)
        throw new UsageError("Set MOBILE_URL and MOBILE_KEY, the address and key of the service.");
      const { createMobileClient } = await import("@fieldmesh/mobile-client");
      try {
        return createMobileClient({ baseUrl, apiKey });
      } catch (error) {
        throw new UsageError((error as Error).message);
      }
    },
  };
}

function createOutput(
  { isJson, isQuiet = false }: Pick<CommandOutput, "isJson" | "isQuiet">,
  stdout: Writable,
  stderr: Writable,
): CommandOutput {
  const print = (text: string) => void stdout.write(`${text}\n`);
  return {
    isJson,
    isQuiet,
    record: async (value) => print(stringifyJson(value)),
    records: async (values, columns = []) => {
      const rows: string[][] = [];
      for await (const value of values) {
        if (isJson) print(stringifyJson(value));
        else rows.push(columns.map((name) => cellOf(isRecord(value) ? value[name] : value)));
      }
      const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
      for (const row of rows) {
        const cells = row.map((cell, at) => cell.padEnd(widths[at] ?? 0));
        print(cells.join("  ").trimEnd());
      }
    },
    line: async (text) => print(text),
    note: (text) => void (isQuiet || stderr.write(`${text}\n`)),
  };
}

function cellOf(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : stringifyJson(value);
}
