import { stringifyJson } from "@fieldmesh/core";
import type { MobileClient } from "@fieldmesh/mobile-client";
import type { CommandContext } from "../command.ts";
import { UsageError } from "../command-error.ts";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { onTestFinished, vi } from "vitest";

/** A context that records what a command prints. */
export interface TestContext extends CommandContext {
  /** stdout. */
  readonly lines: string[];
  /** stderr. */
  readonly notes: string[];
  /** Ctrl-C. */
  readonly interrupt: () => void;
}

/** Creates a context whose environment contains only the given variables. */
export function testContext(
  given: {
    readonly env?: Record<string, string>;
    readonly isJson?: boolean;
    readonly reveal?: boolean;
    readonly reply?: string;
    readonly client?: MobileClient;
  } = {},
): TestContext {
  const lines: string[] = [];
  const notes: string[] = [];
  const interrupted = new AbortController();
  const { env = {}, isJson = false, reveal = false, reply, client } = given;
  return {
    program: "fieldmesh-sandbox",
    lines,
    notes,
    interrupt: () => interrupted.abort(),
    output: {
      isJson,
      record: async (value) => void lines.push(stringifyJson(value)),
      records: async (values) => {
        for await (const value of values) lines.push(stringifyJson(value));
      },
      line: async (text) => void lines.push(text),
      note: (text) => void notes.push(text),
    },
    prompt: {
      secret: async (_question, instead) => {
        if (reply === undefined) throw new UsageError(`There is no terminal: ${instead}.`);
        return reply;
      },
    },
    env,
    signal: interrupted.signal,
    reveal,
    client: async () => {
      if (client === undefined) throw new UsageError("no client");
      return client;
    },
  };
}

/** Replaces `setTimeout` of `node:timers/promises` until the test ends, and returns its calls. */
export function fakeSleep(sleep: (signal: AbortSignal | undefined) => Promise<void>) {
  const replaced = vi
    .spyOn(timers, "setTimeout")
    .mockImplementation((_ms, value, options) => sleep(options?.signal).then(() => value as never));
  syncBuiltinESMExports();
  onTestFinished(() => {
    replaced.mockRestore();
    syncBuiltinESMExports();
  });
  return replaced.mock.calls;
}
