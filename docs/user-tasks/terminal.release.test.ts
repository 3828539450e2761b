// What a person does in a terminal of 100 and of 60 columns, with a picture of what it shows.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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

/** Sentences and tables break between words. What a progress bar has overwritten counts too. */
function fitsIn(columns: number, shown: string): void {
  const lines = stripVTControlCharacters(shown).split(/[\r\n]+/);
  expect(lines.filter((text) => text.length > columns)).toEqual([]);
}

async function sandboxAccounts(ledger: string): Promise<string[]> {
  const response = await fetch(`${ledger}/v1/accounts`);
  const { data } = (await response.json()) as { data: { address: string }[] };
  return data.map(({ address }) => address);
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

  /** Runs `fieldmesh` against a sandbox. */
  const fieldmesh = (
    line: string,
    columns: number,
    env: Readonly<Record<string, string>>,
    { cwd = root, replies = [] }: { cwd?: string; replies?: readonly Reply[] } = {},
  ) => run([process.execPath, PROGRAM, ...line.split(" ")], { columns, cwd, env }, replies);

  test.each(WIDTHS)("1: find an id and delete its record, %i columns", async (columns) => {
    await using sandbox = await startSandbox();
    const env = { FIELDMESH_SANDBOX: sandbox.page };
    const listed = await fieldmesh("devices list", columns, env);
    const device = [...sandbox.console.state.devices.values()].at(-1)!;
    // The id is whole, so it can be copied from the screen.
    expect(linesOf(listed.shown).filter((text) => text.startsWith(`${device.id}  `))).toHaveLength(
      1,
    );
    const deleted = await fieldmesh(`devices delete ${device.id}`, columns, env);
    expect(linesOf(deleted.shown).join(" ")).toContain("--file <file>");
    const done = await fieldmesh(`console devices delete ${device.id}`, columns, env, {
      replies: [["[y/N] ", "y\r"]],
    });
    await photograph("1-delete", columns, listed.shown + done.shown);
    expect([done.code, [...sandbox.console.state.devices.values()].includes(device)]).toEqual([
      0,
      false,
    ]);
    fitsIn(columns, listed.shown);
  });

  test.each(WIDTHS)("2: which address and which key, %i columns", async (columns) => {
    await using sandbox = await startSandbox();
    const { code, shown } = await fieldmesh("doctor", columns, {
      CONSOLE_URL: sandbox.console.baseUrl,
      CONSOLE_KEY: sandbox.apiKey,
      MOBILE_URL: "https://mobile.example.com",
      FIELDMESH_SANDBOX: sandbox.page,
    });
    await photograph("2-doctor", columns, shown);
    expect(code).toBe(0);
    expect(shown).toContain(`${sandbox.console.baseUrl}  FIELDMESH_SANDBOX`.slice(0, columns));
    expect(linesOf(shown).join(" ")).toContain("FIELDMESH_SANDBOX overrides CONSOLE_URL");
    expect(shown).not.toContain(sandbox.apiKey);
    fitsIn(columns, shown);
  });

  test.each(WIDTHS)("4: follow a device, %i columns", async (columns) => {
    await using sandbox = await startSandbox({ console: { data: "fleet" } });
    const device = [...sandbox.console.state.devices.values()][0]!;
    const { code, shown } = await fieldmesh(
      `devices follow ${device.dev_eui}`,
      columns,
      { FIELDMESH_SANDBOX: sandbox.page },
      { replies: [["8 bytes", "\u0003"]] },
    );
    await photograph("4-follow", columns, shown);
    expect(code).toBe(130);
    expect(shown).toMatch(/fcnt \d+ {2}port \d+ {2}8 bytes/);
  });

  test.each(WIDTHS)("5: why was an event not handled, %i columns", async (columns) => {
    await using sandbox = await startSandbox();
    const hooks = createServer((_request, response) =>
      response.writeHead(500).end("no such column: iccid"),
    ).listen(0, "127.0.0.1");
    await once(hooks, "listening");
    onTestFinished(() => void hooks.close());
    const { port } = hooks.address() as AddressInfo;
    sandbox.webhooks.register({ url: `http://127.0.0.1:${port}/hooks` });
    await sandbox.webhooks.trigger("sim.activated");
    const { code, shown } = await fieldmesh("webhooks events 500", columns, {
      FIELDMESH_SANDBOX: sandbox.page,
    });
    await photograph("5-events", columns, shown);
    expect(code).toBe(0);
    expect(linesOf(shown).join(" ")).toMatch(/sim\.activated.*500/);
  });

  test.each(WIDTHS)("7: export a month, %i columns", async (columns) => {
    const cwd = folder();
    await using sandbox = await startSandbox({ latency: 150 });
    const [account] = await sandboxAccounts(sandbox.ledger.baseUrl);
    const { code, shown } = await fieldmesh(
      `ledger export rewards ${account} --min-time 2026-10-01 --max-time 2026-11-01 --out october.csv`,
      columns,
      { FIELDMESH_SANDBOX: sandbox.page },
      { cwd },
    );
    await photograph("7-export", columns, shown);
    expect(code).toBe(0);
    expect(shown).toMatch(/[█░]{8}.* of \d+/);
    fitsIn(columns, shown);
  });

  test.each(WIDTHS)("8: help for a mistyped command, %i columns", async (columns) => {
    const lines = ["ledger rewards", "mapper ingest --file uplink.json", "devices export all.csv"];
    let all = "";
    for (const line of lines) {
      const { code, shown } = await fieldmesh(line, columns, {});
      all += shown;
      expect(code).toBe(2);
      fitsIn(columns, shown);
    }
    await photograph("8-mistyped", columns, all);
    const text = linesOf(all).join(" ");
    expect(text).toContain('"ledger export rewards" or "ledger accounts rewards"');
    expect(text).toContain("Did you mean --input?");
    expect(text).toContain("--out <file>");
  });

  test.each(WIDTHS)("11: resume after Ctrl-C, %i columns", async (columns) => {
    const cwd = folder();
    await using sandbox = await startSandbox({ latency: 300 });
    const [account] = await sandboxAccounts(sandbox.ledger.baseUrl);
    const env = { FIELDMESH_SANDBOX: sandbox.page };
    const line = `ledger export rewards ${account} --min-time 2026-10-01 --max-time 2026-11-01 --out october.csv`;
    const stopped = await fieldmesh(line, columns, env, { cwd, replies: [["░", "\u0003"]] });
    const resumed = await fieldmesh(line, columns, env, { cwd });
    await photograph("11-resume", columns, stopped.shown + resumed.shown);
    expect([stopped.code, resumed.code]).toEqual([130, 0]);
    expect(stopped.shown).toMatch(/[█░]{8}.* of \d+/);
    expect(linesOf(stopped.shown).join(" ")).toMatch(/resume/);
  });

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
    const step = (line: string, shell: Shell, replies?: readonly Reply[]) =>
      run([process.execPath, PROGRAM, ...line.split(" ")], shell, replies);
    const imported = await step("devices import inventory.csv --create-labels", shellOf(from), [
      ["[y/N] ", "y\r"],
    ]);
    const exported = await step("fleet export fleet.age", shellOf(from));
    const planned = await step("fleet plan fleet.age", shellOf(to));
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
