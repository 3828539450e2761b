// What a person does in a terminal of 100 and of 60 columns, with a picture of what it shows.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { startSandbox } from "@fieldmesh/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { IMPORT_COMMAND } from "../../examples/tour/map.ts";
import { root } from "../../tools/packages.ts";
import { openTerminal } from "../../tools/terminal.ts";
import { describeInBrowser } from "../site/open-site.ts";
import { photographTerminal } from "./photograph.ts";

const PROGRAM = join(root, "packages/cli/src/commands/cli.ts");
const WIDTHS = [100, 60];
const PASSPHRASE = "correct horse battery staple";
const INVENTORY = `Device EUI,Join EUI,Application Key,Name,Group
0004A30B001C0530,70B3D57ED0010002,2B7E151628AED2A6ABF7158809CF4F3C,Pump 1,Pumps
0004A30B001C0531,70B3D57ED0010002,3C7E151628AED2A6ABF7158809CF4F3D,Pumpe Süd 水 🚰,Pumps
`;

/** What is typed after a question. */
type Reply = readonly [question: string, keys: string];

interface Shell {
  readonly columns: number;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command in a terminal, and returns what it shows below the prompt. */
async function run(
  command: readonly string[],
  { columns, cwd, env = {} }: Shell,
  replies: readonly Reply[] = [],
): Promise<{ readonly code: number; readonly shown: string }> {
  const { PATH, HOME } = process.env;
  const terminal = openTerminal(command, {
    columns,
    cwd,
    env: { PATH, HOME, TERM: "xterm-256color", FIELDMESH_CONFIG: join(tmpdir(), "none"), ...env },
  });
  for (const [question, keys] of replies) {
    await terminal.until(question);
    terminal.type(keys);
  }
  const code = await terminal.ended;
  return { code, shown: terminal.shown };
}

/** The lines on the screen, without colors and without what a progress bar has overwritten. */
function linesOf(shown: string): string[] {
  return stripVTControlCharacters(shown)
    .split("\n")
    .map((text) => text.replace(/\r$/, "").split("\r").at(-1) ?? "");
}

describeInBrowser((browser) => {
  function folder(): string {
    const path = mkdtempSync(join(tmpdir(), "task-"));
    onTestFinished(() => rmSync(path, { recursive: true }));
    return path;
  }
  const photograph = (name: string, columns: number, shown: string): Promise<void> =>
    photographTerminal(browser(), shown, { name, columns });

  test.each(WIDTHS)(
    "6: import the file of the tour by the printed command, %i columns",
    async (columns) => {
      const { code, shown } = await run(["sh", "-c", IMPORT_COMMAND], { columns, cwd: root });
      await photograph("6-import", columns, shown);
      expect(code).toBe(1);
      expect(linesOf(shown).join(" ")).toMatch(/created +468/);
      expect(linesOf(shown).join(" ")).toContain("32 of 500 rows were not imported.");
    },
  );

  test.each(WIDTHS)("9: plan a move, %i columns", async (columns) => {
    const cwd = folder();
    await using from = await startSandbox({ console: { data: "empty" } });
    await using to = await startSandbox({ console: { data: "empty" }, seed: 2 });
    writeFileSync(join(cwd, "inventory.csv"), INVENTORY);
    const shellOf = ({ page }: { page: string }): Shell => ({
      columns,
      cwd,
      env: { FIELDMESH_SANDBOX: page, FIELDMESH_PASSPHRASE: PASSPHRASE },
    });
    const fieldmesh = (line: string, shell: Shell, replies?: readonly Reply[]) =>
      run([process.execPath, PROGRAM, ...line.split(" ")], shell, replies);
    const imported = await fieldmesh(
      "devices import inventory.csv --create-labels",
      shellOf(from),
      [["[y/N] ", "y\r"]],
    );
    const exported = await fieldmesh("fleet export fleet.age", shellOf(from));
    const planned = await fieldmesh("fleet plan fleet.age", shellOf(to));
    await photograph("9-plan", columns, imported.shown + exported.shown + planned.shown);
    expect([imported.code, exported.code, planned.code]).toEqual([0, 0, 0]);
    expect(planned.shown).toContain("Pump 1");
  });

  test.each(WIDTHS)("10: read help, %i columns", async (columns) => {
    const cwd = folder();
    const main = await run([process.execPath, PROGRAM], { columns, cwd });
    await photograph("10-help", columns, main.shown);
    const one = await run([process.execPath, PROGRAM, "devices", "import", "--help"], {
      columns,
      cwd,
    });
    await photograph("10-help-import", columns, one.shown);
    const sandbox = await run([process.execPath, PROGRAM, "sandbox", "--help"], { columns, cwd });
    await photograph("10-help-sandbox", columns, sandbox.shown);
    for (const { code, shown } of [main, one, sandbox]) {
      expect(code).toBe(0);
      expect(linesOf(shown).filter((text) => text.length > columns)).toEqual([]);
    }
  });
});
