import { expect, test } from "vitest";
import { run as runImport } from "../../src/fleet/import-devices.ts";
import { runExport } from "../../src/fleet/move-fleet.ts";
import { runCommand, testContext } from "../context.ts";
import { folder, held, inventory } from "./fleet-context.ts";
import { filesWithKeys, hasKey, runKilled, runProgram, startConsole } from "./kills.ts";

const COUNT = 300;
const BUSY = 5_000;

test("an apply that is killed loses and duplicates no device, and a second apply sends no write", async () => {
  const [from, to] = [await startConsole(), await startConsole()];
  const files = folder();
  const csv = files.write("devices.csv", inventory(COUNT));
  const fleet = files.at("fleet.json");
  const settle = ["--settle-time", "0.05"];

  await runCommand(runImport, testContext({ sandbox: from }), { createLabels: true }, csv);
  for (const device of held(from).slice(0, 20))
    from.console.state.devices.update(device, { active: false });
  await runCommand(runExport, testContext({ sandbox: from }), { clear: true }, fleet);
  const applied = await runKilled(to, ["fleet", "apply", fleet, "--yes", ...settle], {
    killAfter: [2, 2],
    faultyOne: 10,
  });
  expect(applied).toMatchObject({ code: 0, kills: 2 });

  for (const sandbox of [from, to]) {
    const euis = held(sandbox).map(({ dev_eui }) => dev_eui);
    expect([euis.length, new Set(euis).size]).toEqual([COUNT, COUNT]);
    expect(sandbox.console.state.labels.size).toBe(1);
    expect(held(sandbox).filter(({ label_ids }) => label_ids.size === 1)).toHaveLength(COUNT / 3);
    expect(held(sandbox).filter(({ active }) => !active)).toHaveLength(20);
  }
  expect([hasKey(applied.printed), filesWithKeys(files.names().map(files.at))]).toEqual([
    false,
    [csv, fleet],
  ]);
  const again = await runKilled(to, ["fleet", "apply", fleet, "--yes"]);
  expect(again).toMatchObject({ code: 0, writes: 0 });
  await Promise.all([from.close(), to.close()]);
}, 120_000);

test.for([
  ["devices.csv", "devices import", ["--create-labels"]],
  ["fleet.json", "fleet apply", []],
] as const)(
  "three runs at once with %s create each device once, and two of them name the third",
  { timeout: 60_000 },
  async ([name, command, options]) => {
    const [from, to] = [await startConsole(), await startConsole()];
    const files = folder();
    const csv = files.write("devices.csv", inventory(COUNT));
    await runCommand(runImport, testContext({ sandbox: from }), { createLabels: true }, csv);
    const fleet = files.at("fleet.json");
    await runCommand(runExport, testContext({ sandbox: from }), { clear: true }, fleet);
    const start = () =>
      runProgram(to, [...command.split(" "), files.at(name), ...options, "--yes"]);
    // The first one works until the others have started, also on a busy machine.
    to.setFaults([{ on: "devices.createBatch", kind: "delay", ms: BUSY }]);
    const ended = await Promise.all([start(), start(), start()]);
    const euis = held(to).map(({ dev_eui }) => dev_eui);
    expect([euis.length, new Set(euis).size]).toEqual([COUNT, COUNT]);
    expect(ended.map(({ code }) => Number(code)).toSorted((a, b) => a - b)).toEqual([0, 1, 1]);
    for (const { code, printed } of ended)
      if (code === 1)
        expect(printed).toMatch(new RegExp(`Process \\d+ on .* been working on .*${name}`));
    await Promise.all([from.close(), to.close()]);
  },
);
