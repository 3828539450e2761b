import { existsSync } from "node:fs";
import { expect, test, vi } from "vitest";
import type { Input, Run } from "../../src/command.ts";
import { run as runConvert } from "../../src/fleet/convert-fleet.ts";
import { run as runExportDevices } from "../../src/fleet/export-devices.ts";
import { run as runImport } from "../../src/fleet/import-devices.ts";
import { runApply, runExport } from "../../src/fleet/move-fleet.ts";
import { runCommand, testContext, type TestContextOptions } from "../context.ts";
import { emptyConsole, errorOf, folder, held, inventory } from "./fleet-context.ts";
import { STACK } from "./leaving-fleet.ts";

const QUICK = { settleTime: "0.001", createLabels: true };

/** Creates a console with a few devices. */
async function filled(count: number) {
  const sandbox = emptyConsole();
  const file = folder().write("devices.csv", inventory(count));
  await runCommand(runImport, testContext({ sandbox }), QUICK, file);
  return sandbox;
}

test("a trial with --sandbox writes nothing beside the file, and leaves the state of a real run", async () => {
  const files = folder();
  const bad = "Tank,1,,,\n";
  const csv = files.write("devices.csv", inventory(400) + bad);
  const fleet = files.at("fleet.json");
  const source = await filled(300);
  await runCommand(runExport, testContext({ sandbox: source }), { clear: true }, fleet);
  for (const name of ["devices.csv.import.json", "fleet.json.apply.json"])
    files.write(name, "of a real run");
  const before = files.names();
  const trial = async (run: Run, file: string, stopsAt?: string): Promise<unknown> => {
    const [sandbox, stopped] = [emptyConsole(), new AbortController()];
    let requests = 0;
    sandbox.setFaults(({ row }) => {
      if (row === stopsAt && ++requests === 2) stopped.abort();
      expect(files.names()).toEqual(before);
      return undefined;
    });
    const options: TestContextOptions = { sandbox, trial: true, yes: true, signal: stopped.signal };
    return await runCommand(run, testContext(options), QUICK, file).catch(
      (error: unknown) => error,
    );
  };
  expect(await trial(runImport, csv, "devices.createBatch")).toMatchObject({ exitCode: 130 });
  expect(await trial(runImport, csv)).toMatchObject({
    message: `1 of 401 rows was not imported. Correct it in ${csv}. This was a trial, which writes no file.`,
    exitCode: 1,
  });
  expect(await trial(runApply, fleet, "devices.createBatch")).toMatchObject({ exitCode: 130 });
  expect(await trial(runApply, fleet)).toBeUndefined();
  expect(files.names()).toEqual(before);
  expect(files.read("devices.csv.import.json")).toBe("of a real run");
  const error = await errorOf(runCommand(runImport, testContext({ sandbox: source }), {}, csv));
  expect(error.message).toContain("is damaged, or is not the state of devices import");
  expect(held(source)).toHaveLength(300);
});

const fleetFile = async (files: ReturnType<typeof folder>): Promise<string> => {
  const fleet = files.at("fleet.json");
  await runCommand(runExport, testContext({ sandbox: await filled(1) }), { clear: true }, fleet);
  return fleet;
};
type Call = (
  files: ReturnType<typeof folder>,
  file: string,
) => Promise<[Run, Input["options"], string[]]>;
const WITH_KEYS: Readonly<Record<string, Call>> = {
  "fleet export --clear": async (_, file) => [runExport, { clear: true }, [file]],
  "devices export --reveal": async (_, out) => [runExportDevices, { out }, []],
  "fleet convert --clear": async (files, out) => {
    const mapping = files.write("stack.json", JSON.stringify(STACK));
    return [
      runConvert,
      { target: "things-stack", out, mapping, clear: true },
      [await fleetFile(files)],
    ];
  },
};

test.for(Object.entries(WITH_KEYS))(
  "%s says that its file will have unencrypted keys, before it is there",
  async ([, call]) => {
    const files = folder();
    const file = files.at("out.json");
    const [run, options, args] = await call(files, file);
    const context = testContext({ sandbox: await filled(1), reveal: true });
    const note = vi.spyOn(context.output, "note");
    const early: string[] = [];
    note.mockImplementation((line) => void (existsSync(file) || early.push(line)));
    await runCommand(run, context, options, ...args);
    expect(early).toContain(`${file} will have the keys of its devices unencrypted. Protect it.`);
    expect(existsSync(file)).toBe(true);
  },
);
