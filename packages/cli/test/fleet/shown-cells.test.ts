// Which cells of a file a command may print: names of columns, and below them only names and EUIs.
import { expect, test } from "vitest";
import { commands } from "../../src/commands/commands.ts";
import type { Input } from "../../src/command.ts";
import { runCommand, testContext } from "../context.ts";
import { APP_EUI, emptyConsole, eui, folder, held, keyOf } from "./fleet-context.ts";

const CANARY = "q7Zr1Kd9Xv3B";
/** A key with a digit too few, which no rule recognizes as one. */
const KEY = keyOf(7).slice(1);

/** The commands that read rows of a file, with how each receives it. */
const READERS = commands.filter(
  ({ arguments: words = [], options = [] }) =>
    options.some(({ name }) => name === "map") ||
    words.some(({ description }) => description.includes("CSV")),
);

const SHEETS: Readonly<Record<string, string>> = {
  "a first line that is a device": `${CANARY},${KEY},x${eui(1)},${KEY}\n${CANARY},${KEY},x,y\n`,
  "a list whose first EUI is too short": `${KEY}\n${eui(1)}\n`,
  "two lines of one cell": `${CANARY}\n${CANARY}2\n`,
  "names of columns that nobody knows": `${CANARY} a;${CANARY} b;${CANARY} c\n${KEY};2;3\n`,
  "a key beside known names": `name,dev_eui,${KEY}\nTank,${eui(1)},2\n`,
  "a command beside known names": `name,$(touch ${CANARY}),app_eui\nTank,1,2\n`,
  "a key in each other column": `name,dev_eui,app_eui,app_key,labels,config_profile_id,more\nTank,${eui(1)},${APP_EUI},${CANARY},${CANARY},${CANARY},${KEY}\n`,
  "a key of a device that is there twice": `name,dev_eui,app_eui,app_key,labels\nTank,${eui(1)},${APP_EUI},${keyOf(7)},${CANARY}\nTank,${eui(1)},${APP_EUI},${keyOf(7)},${CANARY}\n`,
  "a row with more cells": `name,dev_eui,app_eui,app_key\nTank,${eui(1)},${APP_EUI},${CANARY},${KEY}\n`,
  "a key in each field of JSON": JSON.stringify([
    { dev_eui: CANARY, name: "Tank", app_eui: APP_EUI, app_key: CANARY, labels: [CANARY] },
    { dev_eui: eui(1), [KEY]: CANARY, root_keys: { app_key: { key: CANARY } } },
  ]),
  "JSON that is not closed": `[\n{"dev_eui": "${eui(1)}", "app_key": "${CANARY}`,
  "a key above the header": `${CANARY},${KEY}\n# ${KEY}\nname,dev_eui,${KEY}\nTank,${CANARY},${CANARY}\n`,
  "a quote that is not closed": `name,dev_eui\n"${CANARY},${KEY}\n`,
};

const CELLS = READERS.flatMap((command) =>
  Object.keys(SHEETS).map((sheet) => [command.path, sheet, command] as const),
);

test.for(CELLS)("%s prints no other cell of %s", async ([path, sheet, command]) => {
  const sandbox = emptyConsole();
  const setup = testContext({ sandbox });
  await (await setup.client("console")).labels.create({ name: "Pumps" });
  const file = folder().write("devices.csv", SHEETS[sheet] ?? "");
  const isImport = path === "devices import";
  const options: Input["options"] = isImport ? {} : { file };
  const words = isImport ? [file] : path.endsWith("label") ? ["Pumps"] : [];
  const { run } = await command.load();
  for (const json of [false, true]) {
    const here = testContext({ sandbox, yes: true, json, reveal: true });
    const ended = await runCommand(run, here, options, ...words).catch((error: unknown) => error);
    const printed = [...here.stdout, ...here.stderr, String(ended)].join("\n").replaceAll(file, "");
    expect(printed).not.toMatch(new RegExp(`${CANARY}|${KEY.slice(8)}|${keyOf(7).slice(8)}`, "i"));
    // It says what is wrong, or counts the devices.
    expect(printed).toMatch(/column|line|label|row|header|not_found/);
  }
});

async function devicesOf(content: string, options: Input["options"]) {
  const sandbox = emptyConsole();
  const files = folder();
  const file = files.write("devices.csv", content);
  const [{ load } = READERS[0]!] = READERS;
  const here = testContext({ sandbox, yes: true });
  const ended = await runCommand((await load()).run, here, options, file).then(
    () => undefined,
    (error: Error) => error.message.replaceAll(file, "devices.csv"),
  );
  return { names: held(sandbox).map(({ name }) => name), ended, files };
}

test("a column without a known name has a number in messages, which --map accepts", async () => {
  const row = (index: number): string => `Tank ${index};${eui(index)};${APP_EUI};${keyOf(index)}\n`;
  const header = "设备;编号;加入;密钥\n";
  expect((await devicesOf(header + row(1) + row(2), {})).ended).toBe(
    'devices.csv has no dev_eui or app_eui or app_key column. The values of these columns fit: map them with --map "2=dev_eui" --map "3=app_eui" --map "4=app_key". Devices are called by their dev_eui, unless you map a name, such as --map "1=name". If no column has the app_eui, set one for all devices with --app-eui. The columns are column 1, column 2, column 3, column 4.',
  );
  const map = ["1=name", "2=dev_eui", "3=app_eui", "4=app_key"];
  expect(await devicesOf(header + row(1), { map })).toMatchObject({ names: ["Tank 1"] });
  // The first line is a device, too.
  expect(await devicesOf(row(1) + row(2), { map })).toMatchObject({ names: ["Tank 1", "Tank 2"] });
});

test("a file without a header is mapped by numbers, and a wrong first EUI loses no device", async () => {
  const rows = `Tank 1,${eui(1).slice(2)},${APP_EUI},${keyOf(1)}\nTank 2,${eui(2)},${APP_EUI},${keyOf(2)}\n`;
  expect((await devicesOf(rows, {})).ended).toBe(
    'devices.csv has no header: write the names of its columns in the first line, such as name,dev_eui,app_eui,app_key, or map them by their numbers. The values of these columns fit: map them with --map "2=dev_eui" --map "3=app_eui" --map "4=app_key". Devices are called by their dev_eui, unless you map a name, such as --map "1=name".',
  );
  const map = ["1=name", "2=dev_eui", "3=app_eui", "4=app_key"];
  const { names, ended, files } = await devicesOf(rows, { map });
  expect([names, ended]).toEqual([["Tank 2"], expect.stringContaining("1 of 2 rows was not")]);
  expect(files.read("devices.fix.csv").split("\n")[0]).toBe("name,dev_eui,app_eui,app_key,problem");
  files.write("devices.csv", files.read("devices.fix.csv").replace(eui(1).slice(2), eui(1)));
  const again = await devicesOf(files.read("devices.csv"), { map });
  expect(again.names).toEqual(["Tank 1"]);
});

test("an entry of --map that is wrong is named by its place, and not quoted", async () => {
  const header = "name,DevEUI,JoinEUI,AppKey\n";
  for (const [entry, says] of [
    [CANARY, 'is not of the form "column of the file=field"'],
    [`DevEUI=${CANARY}`, "names no field. The fields are name, dev_eui"],
    ["DevEUI=deveui", 'names no field. Did you mean "dev_eui"?'],
    [`${CANARY}=name`, "names a column that the file does not have."],
    ["DevEIU=dev_eui", 'names a column that the file does not have. Did you mean "DevEUI"?'],
    ["5=name", "names a column that the file does not have."],
  ] as const) {
    const { ended } = await devicesOf(`${header}Tank,1,2,3\n`, { map: ["name=name", entry] });
    expect(ended).toContain(`Entry 2 of --map ${says}`);
    expect(ended).not.toContain(CANARY);
  }
});
