import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, systemClock } from "@fieldmesh/sandbox";
import { expect, test } from "vitest";
import type { Input } from "../../src/command.ts";
import { ledgerCommands } from "../../src/ledger/commands.ts";
import { createProgram, parse } from "../../src/commands/program.ts";
import { runCommand, testContext } from "../context.ts";

const guide = join(import.meta.dirname, "../../../../docs/guides/export-rewards.md");
const [, block = ""] = /```sh\n([^]*?)```/.exec(readFileSync(guide, "utf8")) ?? [];
// Joins continued lines as a shell does.
const lines = block
  .replaceAll(/\\\n\s*/g, "")
  .trim()
  .split("\n");
const [, query = ""] = /```sql\n([^]*?)```/.exec(readFileSync(guide, "utf8")) ?? [];

test("every command of the guide writes its file, and its query runs on SQLite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guide-"));
  const sandbox = createSandbox({ clock: systemClock });
  const context = testContext({ sandbox });
  const program = createProgram({
    version: "",
    commands: ledgerCommands,
    groups: {},
    stdout: () => undefined,
    async run(command, _, { arguments: args, options }: Input) {
      const { run } = await command.load();
      await runCommand(
        run,
        context,
        { ...options, out: join(folder, options["out"] as string) },
        ...args,
      );
    },
  });
  try {
    for (const line of lines) {
      const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
      await parse(program, words.slice(words[0] === "npx" ? 2 : 1));
    }
    const files = ["activity.ndjson", "blocks.csv", "rewards.parquet", "rewards.sqlite", "try.csv"];
    expect(readdirSync(folder).toSorted()).toEqual(files);
    expect(files.filter((file) => statSync(join(folder, file)).size < 10_000)).toEqual([]);
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(join(folder, "rewards.sqlite"));
    expect(database.prepare(query).all().length).toBe(3);
    database.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
