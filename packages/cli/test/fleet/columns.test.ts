import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openDeviceRows, type RowOptions } from "../../src/fleet/csv/device-rows.ts";
import { readNames, writeNames } from "../../src/fleet/csv/names.ts";
import { openSheet } from "../../src/fleet/csv/sheet.ts";
import { APP_EUI, errorOf, eui, folder, keyOf } from "./fleet-context.ts";

const [EUI, KEY] = [eui(1), keyOf(1)];
const DASHED = EUI.match(/../g)?.join("-") ?? "";
const ZEROS = "0".repeat(32);

async function read(content: string, options: RowOptions = {}) {
  const sheet = await openSheet(folder().write("devices.csv", content));
  const { rows, problemsOf } = await openDeviceRows(sheet, options);
  const all = [];
  for await (const row of rows()) all.push({ ...row, problems: problemsOf(row) });
  return all;
}

test.for<[string, string]>([
  [
    "The Things Stack",
    `id;dev_eui;join_eui;name;frequency_plan_id;app_key\ntank-1;${EUI};${APP_EUI};Tank 1;EU_863_870;${KEY}`,
  ],
  [
    "ChirpStack, LoRaWAN 1.0",
    `dev_eui,name,join_eui,nwk_key,app_key\n${EUI},Tank 1,${APP_EUI},${KEY},${ZEROS}`,
  ],
  [
    "ChirpStack, without an app_key",
    `dev_eui,name,join_eui,nwk_key,app_key\n${EUI},Tank 1,${APP_EUI},${KEY},`,
  ],
  [
    "Milesight",
    `Device Name,Description,Device EUI,Device-Profile,Application Key,App EUI\nTank 1,x,${EUI},ClassA,${KEY},${APP_EUI}`,
  ],
  ["Dragino", `DEV EUI\tAPP EUI\tAPP KEY\tName\n${DASHED}\t${APP_EUI}\t${KEY}\tTank 1`],
  [
    "a delivery note",
    `Serial Number,LoRaWAN DevEUI,JoinEUI (AppEUI),OTAA keys,NwkSKey\nTank 1,${EUI.toLowerCase()},0x${APP_EUI},${KEY},${ZEROS}`,
  ],
  [
    "devices export",
    `name,dev_eui,app_eui,app_key,active,labels,id\nTank 1,${EUI},${APP_EUI},${KEY},true,,9a7e5f0c-0000-4000-8000-000000000000`,
  ],
])("recognizes the columns of %s", async ([, content]) => {
  const [row] = await read(content);
  expect({ ...row?.device, dev_eui: row?.device.dev_eui.toUpperCase() }).toEqual({
    name: "Tank 1",
    dev_eui: EUI,
    app_eui: APP_EUI,
    app_key: KEY,
  });
});

test("--map is preferred to recognized columns", async () => {
  const content = `name,Asset,DevEUI,Join,appkey\nfactory,Tank 1,${EUI},${APP_EUI},${KEY}`;
  const [row] = await read(content, { map: ["Asset=name", "join=app_eui"] });
  expect(row?.device).toMatchObject({ name: "Tank 1", app_eui: APP_EUI });
});

test.each([
  ["name,dev_eui,DevEUI", "DevEUI", 'such as --map "dev_eui=dev_eui"'],
  ["name,DevEUI,DevEUI", "DevEUI", "rename one of them"],
])("two columns for one field are rejected: %s", async (columns, _, advice) => {
  const content = `${columns},app_eui,app_key\nTank,${EUI},${eui(2)},${APP_EUI},${KEY}`;
  const { message, exitCode } = await errorOf(read(content));
  expect(message).toMatch(/^The columns ".+" and "DevEUI" both look like dev_eui: /);
  expect([message, exitCode]).toEqual([expect.stringContaining(advice), 2]);
});

test("different values in two columns of one field are a problem of the row, and --map selects a column", async () => {
  const content = `AppEUI,JoinEUI,DevEUI,AppKey\n${APP_EUI},${eui(2)},${EUI},${KEY}`;
  const [row] = await read(content);
  expect(row?.problems[0]).toBe(
    'the columns AppEUI and JoinEUI differ: choose one with --map "AppEUI=app_eui"',
  );
  const [chosen] = await read(content, { map: ["JoinEUI=app_eui"] });
  expect(chosen).toMatchObject({ problems: [], device: { app_eui: eui(2) } });
});

test("where the column of --map is empty, the others count, and several of --map are one after the other", async () => {
  const rows = `${APP_EUI},,${EUI},${KEY},\n,${eui(9)},${eui(2)},${KEY},${ZEROS}\n${APP_EUI},,${eui(3)},${KEY},${keyOf(3)}\n`;
  const content = `AppEUI,JoinEUI,DevEUI,AppKey,NwkKey\n${rows}`;
  const all = await read(content, { map: ["JoinEUI=app_eui", "NwkKey=app_key"] });
  expect(all.map(({ problems }) => problems)).toEqual([[], [], []]);
  expect(all.map(({ device: { app_eui, app_key } }) => [app_eui, app_key])).toEqual([
    [APP_EUI, KEY],
    [eui(9), KEY],
    [APP_EUI, keyOf(3)],
  ]);
  const two = `devEui,devEUI,AppEUI,AppKey\n${EUI},,${APP_EUI},${KEY}\n,${eui(2)},${APP_EUI},${KEY}\n`;
  const map = ["devEui=dev_eui", "2=dev_eui"];
  expect((await read(two, { map })).map(({ device }) => device.dev_eui)).toEqual([EUI, eui(2)]);
});

test("a device without a name is named by its EUI, and one without an app_eui has that of --app-eui", async () => {
  const [row] = await read(`DevEUI,AppKey\n${EUI},${KEY}`, { appEui: APP_EUI });
  expect(row?.device).toMatchObject({ name: EUI, app_eui: APP_EUI });
});

test.for<[string, string, string]>([
  [
    `Thing,DevEUI,AppEUI\n1,${EUI},${APP_EUI}`,
    "devices.csv has no app_key column.",
    "Add it to the file. The columns are Thing, DevEUI, AppEUI.",
  ],
  [
    `Thing,Secret,Serial,DevEUI\n1,${KEY},${APP_EUI},${EUI}`,
    "has no app_eui or app_key column.",
    'The values of these columns fit: map them with --map "Serial=app_eui" --map "Secret=app_key". If no column has the app_eui, set one for all devices with --app-eui.',
  ],
  [
    `dev_eui,name,nwk_key,app_key\n${EUI},Tank,${KEY},${ZEROS}`,
    "has no app_eui column.",
    "If no column has the app_eui, set one for all devices with --app-eui. The columns are",
  ],
  [
    `DevEUI,Site,AppKey\n${EUI},North,${KEY}`,
    "has no app_eui column.",
    "Add it to the file. If no column has the app_eui, set one for all devices with --app-eui.",
  ],
  [`DevEUI,AppEUI\n${EUI},${APP_EUI}`, "has no app_key column.", "Add it to the file."],
  [`${EUI},${APP_EUI},${KEY}`, "has no header", "name,dev_eui,app_eui,app_key"],
  ["", "is empty", ""],
  [`DevEUI,AppEUI,AppKey\n"${EUI},${APP_EUI},${KEY}`, "a quote in or before line", "is not closed"],
  ["PK\u0003\u0004", "is a spreadsheet", "Save it as CSV"],
])(
  "the file %j is rejected with an error that says what to do, and shows none of its values",
  async ([content, what, advice]) => {
    const { message } = await errorOf(read(content));
    expect(message).toContain(what);
    expect(message).toContain(advice);
    expect(message).not.toContain(KEY);
  },
);

test("lines are counted, and a wrong byte is found, beyond the first piece of a file", async () => {
  const files = folder();
  const row = (index: number): string => `"Süd\r\n${index}",${eui(index)}\r\n`;
  const rows = Array.from({ length: 9_000 }, (_, index) => row(index)).join("");
  const { rows: all } = await openSheet(files.write("d.csv", `name,dev_eui\r\n\r\n${rows}`));
  let line = 3;
  for await (const { line: at, cells } of all()) {
    expect([at, cells[0]]).toEqual([line, `Süd\r\n${(line - 3) / 2}`]);
    line += 2;
  }
  expect(line).toBe(18_003);
  const damaged = files.at("damaged.csv");
  writeFileSync(damaged, Buffer.concat([Buffer.from(`name,dev_eui\n${rows}`), Buffer.from([255])]));
  const { rows: broken } = await openSheet(damaged);
  const { message } = await errorOf(readAll(broken()));
  expect(message).toContain("is not in UTF-8");
});

async function readAll(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const row of rows) void row;
}

test("a file that changes between two readings is an error", async () => {
  const files = folder();
  const { rows } = await openSheet(files.write("d.csv", `dev_eui\n${EUI}\n`));
  expect(await rows().next()).toMatchObject({ value: { line: 2 } });
  files.write("d.csv", `dev_eui\n${EUI}\n${eui(2)}\n`);
  const { message } = await errorOf(rows().next());
  expect(message).toMatch(/d\.csv was changed while it was read\. Run the same command again\.$/);
});

test("names with separators, quotes and formulas are unchanged after writing and reading a cell", () => {
  const names = ["Pumps", "North; South", 'the "old" ones', "a,b", "-5"];
  expect(readNames(writeNames(names))).toEqual(names);
  expect(readNames("Pumps, Valves;Pumps")).toEqual(["Pumps", "Valves"]);
  expect(readNames("  ")).toEqual([]);
});
