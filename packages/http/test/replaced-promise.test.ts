import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("replaced-promise-program.ts", import.meta.url));
const NAMED = expect.stringMatching(/^TypeError: The global Promise was replaced, and/) as string;

test.each([
  ["before", { client: NAMED, ledger: NAMED, receiver: NAMED }],
  [
    "after",
    {
      call: NAMED,
      request: NAMED,
      each: NAMED,
      walk: NAMED,
      page: NAMED,
      onError: NAMED,
      delivery: 500,
    },
  ],
])(
  "a global Promise that was replaced %s the creation is named, and ends no process",
  async (when, ends) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, when]);
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as [string, unknown]);
    expect(Object.fromEntries(rows)).toEqual({ ...ends, end: "ok" });
  },
);
