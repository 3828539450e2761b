// Files as people have them: where the header is, which format they have, and what a column without a field is told.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Input } from "../../src/command.ts";
import { runDeactivate } from "../../src/fleet/change-devices.ts";
import { run } from "../../src/fleet/import-devices.ts";
import { runCommand, testContext } from "../context.ts";
import { APP_EUI, emptyConsole, eui, folder, held, keyOf } from "./fleet-context.ts";

const PLAIN = "name,dev_eui,app_eui,app_key\n";
const row = (index: number): string => `Tank ${index},${eui(index)},${APP_EUI},${keyOf(index)}\n`;
const TWO = row(1) + row(2);
const device = (index: number) => ({
  name: `Tank ${index}`,
  dev_eui: eui(index),
  app_eui: APP_EUI,
  app_key: keyOf(index),
});
const thing = (index: number) => ({
  ids: { device_id: `tank-${index}`, dev_eui: eui(index), join_eui: APP_EUI },
  name: `Tank ${index}`,
  supports_join: true,
  root_keys: { app_key: { key: keyOf(index) } },
  session: { keys: { app_s_key: { key: "EE".repeat(16) } } },
});
const lines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");
const both = <Value>(of: (index: number) => Value): Value[] => [of(1), of(2)];

async function importOf(content: string | Buffer, name: string, options: Input["options"] = {}) {
  const sandbox = emptyConsole();
  const files = folder();
  writeFileSync(files.at(name), content);
  const here = testContext({ sandbox, yes: true });
  const ended = await runCommand(run, here, options, files.at(name)).then(
    () => "",
    (error: Error) => error.message.replaceAll(files.at(name), name),
  );
  const devices = held(sandbox).map(({ name: called, dev_eui }) => [called, dev_eui]);
  return { devices, ended, stderr: here.stderr, files, sandbox };
}

const swapped = (content: string): Buffer => Buffer.from(content, "utf16le").swap16();

const READ: Readonly<Record<string, readonly [content: string | Buffer, says?: string[]]>> = {
  "sep= and semicolons": [
    `sep=;\r\n${(PLAIN + TWO).replaceAll(",", ";").replaceAll("\n", "\r\n")}`,
    ["The header is line 2."],
  ],
  "sep= in quotes": [`"sep=|"\n${(PLAIN + TWO).replaceAll(",", "|")}`, ["The header is line 2."]],
  "a title above": [
    `Delivery 5" note,,,\n"Customer: A, B",,,\n\n${PLAIN}${TWO}`,
    ["The header is line 4."],
  ],
  "a title with other separators": [
    `Delivery, of a, b, c\n${(PLAIN + TWO).replaceAll(",", ";")}`,
    ["The header is line 2."],
  ],
  "comments above": [
    `# Meters; "and more\n#\n# ${PLAIN}${row(1)}# ${row(3)}${row(2)}`,
    ["The header is line 3. Lines that begin with # are not read."],
  ],
  "comments of another sign": [
    `// Meters\n${PLAIN}${TWO}`,
    ["The header is line 2. Lines that begin with // are not read."],
  ],
  "a header with a line end in a cell": [
    `Note\nname,"Dev\nEUI","App EUI","App\nKey"\n${TWO}`,
    ["The header is line 2."],
  ],
  "the header once more below": [PLAIN + row(1) + PLAIN + row(2)],
  "the header below, written in another way": [
    `${PLAIN}${row(1)}Name,DEV_EUI,App EUI,AppKey,\n${row(2)}`,
  ],
  "an AppKey or a NwkKey in each row": [
    `name,dev_eui,app_eui,app_key,nwk_key\nTank 1,${eui(1)},${APP_EUI},${keyOf(1)},\nTank 2,${eui(2)},${APP_EUI},,${keyOf(2)}\n`,
  ],
  "a name of a column in other letters in each object": [
    JSON.stringify([
      { name: "Tank 1", devEui: eui(1), joinEui: APP_EUI, appKey: keyOf(1) },
      { devEUI: eui(2), appEUI: APP_EUI, appKey: keyOf(2) },
    ]),
  ],
  "German names": [
    `Liste;;;;\nBezeichnung;Geräte-EUI;App-EUI;App-Schlüssel;Ort\n${both((index) => row(index).trim().replaceAll(",", ";")).join(";\n")};\n`,
    ["The header is line 2.", "Not used: the column Ort."],
  ],
  "Spanish names": [
    `Nombre del dispositivo,EUI del dispositivo,EUI de la aplicación,Clave de aplicación\n${TWO}`,
  ],
  "section titles and totals": [
    `${PLAIN},"Accessories of X",,\n${TWO}"Total: 2",,,\n,,,\n`,
    ["Not read, because they have no EUI and no key: lines 2 and 5."],
  ],
  "a column of numbers called #": [`#,${PLAIN}1,${row(1)}2,${row(2)}`, ["Not used: the column #."]],
  "names with more in brackets": [
    `Device Name,DevEUI [hex],"AppEUI (JoinEUI, 8 bytes)",AppKey (16 bytes)*\n${TWO}`,
  ],
  "one app_eui above the header": [
    `JoinEUI,${eui(9)}\nOrder 1122334455667788\n${PLAIN}${TWO}`,
    ["The header is line 3."],
  ],
  "a table of Markdown": [
    `# Meters\n\n| name | dev_eui | app_eui | app_key |\n| --- | :---: | --- | --- |\n${TWO.replaceAll(/^|$|,/gm, " | ").replaceAll(/\n \|\s*$/g, "\n")}`,
    ["The header is line 3. Lines that begin with # are not read."],
  ],
  "each line in quotes": [(PLAIN + TWO).replaceAll(/^.+$/gm, '"$&"')],
  "cells in apostrophes": [`${PLAIN}${TWO.replaceAll(/,(\w+)/g, ",'$1'")}`],
  "devices of The Things Network v2": [
    lines(
      both((index) => ({
        app_id: "app",
        dev_id: `Tank ${index}`,
        lorawan_device: { ...device(index), name: undefined, nwk_s_key: "" },
      })),
    ),
    ["Not used: the columns app_id and lorawan_device.nwk_s_key."],
  ],
  "the export of a fleet": [
    JSON.stringify({
      version: 1,
      labels: [{ name: "Pumps", config_profile_id: null }],
      devices: both((index) => ({ ...device(index), labels: [] })),
      flows: [],
    }),
  ],
  "other columns": [
    `name,dev_eui,app_eui,app_key,Colour,active\n${TWO.replaceAll("\n", ",red,true\n")}`,
    ["Not used: the columns Colour and active."],
  ],
  "prefixes of columns": [
    `TAG:site,name,PROPERTY:DevEUI,PROPERTY:AppEUI,PROPERTY:AppKey,PROPERTY:AppSKey\n${both((index) => `x,${row(index).trim()},\n`).join("")}`,
    ["Not used: the columns TAG:site and PROPERTY:AppSKey."],
  ],
  "UTF-16 with a mark": [Buffer.from(`\uFEFF${PLAIN}${TWO}`, "utf16le")],
  "UTF-16 without a mark": [Buffer.from(PLAIN + TWO, "utf16le")],
  "UTF-16 of the other order": [swapped(`\uFEFF${PLAIN}${TWO}`)],
  "UTF-16 of the other order, without a mark": [swapped(PLAIN + TWO)],
  "formulas of strings": [PLAIN + TWO.replaceAll(/[^,\n]+/g, (cell) => `"=""${cell}"""`)],
  "a JSON array": [JSON.stringify(both(device), null, 2)],
  "JSON with other names": [
    JSON.stringify(
      both((index) => ({
        device: { name: `Tank ${index}`, devEui: eui(index).match(/../g)?.join(":") },
        joinEui: APP_EUI.match(/../g)?.map((byte) => Number.parseInt(byte, 16)),
        deviceKeys: { nwkKey: keyOf(index) },
      })),
    ),
  ],
  "JSON with a list in an object": [
    JSON.stringify({ totalCount: "2", result: both(device) }, null, "\t"),
  ],
  "JSON in UTF-16": [Buffer.from(`\uFEFF${JSON.stringify(both(device))}`, "utf16le")],
  "JSON by EUI": [
    JSON.stringify(
      Object.fromEntries(both(device).map(({ dev_eui, ...others }) => [dev_eui, others])),
    ),
  ],
  NDJSON: [lines(both(device))],
  "NDJSON with CRLF and an empty line": [lines(both(device)).replaceAll("\n", "\r\n\r\n")],
  "JSON values of several lines": [
    both(device)
      .map((each) => JSON.stringify(each, null, 2))
      .join("\n"),
  ],
  "devices of The Things Stack": [
    JSON.stringify(both(thing), null, 2),
    ["Not used: the columns supports_join and session.keys.app_s_key.key."],
  ],
  "end devices in an object": [
    lines(both((index) => ({ end_device: thing(index) }))),
    [
      "Not used: the columns end_device.ids.device_id, end_device.supports_join and end_device.session.keys.app_s_key.key.",
    ],
  ],
};

test.for(Object.entries(READ))(
  "both devices of a file are created: %s",
  async ([, [content, says = []]]) => {
    const { devices, ended, stderr } = await importOf(content, "devices.csv");
    expect({ ended, stderr, euis: devices.map(([, dev_eui]) => dev_eui) }).toEqual({
      ended: "",
      stderr: says,
      euis: [eui(1), eui(2)],
    });
    expect(devices[0]?.[0]).toBe("Tank 1");
  },
);

const TITLES = "Site,name,dev_eui,app_eui,app_key,labels\n";
const placed = (index: number, site: string, labels: string): string =>
  `${site},${row(index).trim()},${labels}\n`;
const MERGED =
  "3 rows without a label follow one that has a label: lines 3, 4 and 6. If their cells were merged, write the label into each row.";
const NOTED: Readonly<Record<string, readonly [content: string, says: string[]]>> = {
  "merged cells of two columns": [
    TITLES +
      ["North", "", "", "South", ""]
        .map((site, at) => placed(at, site, site === "" ? "" : "Pumps"))
        .join(""),
    ["Not used: the column Site.", MERGED],
  ],
  "rows without a label": [
    TITLES + ["Pumps", "", "Pumps", ""].map((label, at) => placed(at, "x", label)).join(""),
    ["Not used: the column Site."],
  ],
  "disabled devices": [
    `${PLAIN.trim()},is_disabled\n${row(1).trim()},false\n${row(2).trim()},true\n`,
    [
      "Not used: the column is_disabled.",
      "1 device of the file is disabled, and is created active: line 3. Deactivate it with `devices deactivate`.",
    ],
  ],
  "devices that are not active": [
    lines(both((index) => ({ ...device(index), active: false }))),
    [
      "Not used: the column active.",
      "2 devices of the file are disabled, and are created active: lines 1 and 2. Deactivate them with `devices deactivate`.",
    ],
  ],
  "names in a wrong encoding": [
    PLAIN + row(1).replace("Tank", "SÃ¼d") + row(2).replace("Tank", "MANHÃ”"),
    [
      "The name in line 2 was probably read in a wrong encoding, such as Ã¼ for ü. Correct it first: a console does not rename devices.",
    ],
  ],
};

test.for(Object.entries(NOTED))("a note says what is created: %s", async ([, [content, says]]) => {
  const { ended, stderr } = await importOf(content, "d.csv", {
    label: ["All"],
    createLabels: true,
  });
  expect([ended, stderr.filter((line) => !line.startsWith("Created"))]).toEqual(["", says]);
});

test("devices of JSON in one line are counted", async () => {
  const all = [device(1), { ...device(2), app_key: "" }, device(1), { ...device(3), app_key: "" }];
  const { stderr } = await importOf(JSON.stringify(all), "d.json");
  expect(stderr).toEqual([
    "the app_key is missing: entries 2 and 4",
    "the same device is in entry 1 (delete one of them): entry 3",
  ]);
  const here = testContext({ sandbox: emptyConsole(), yes: true });
  const file = folder().write("d.json", JSON.stringify([eui(1), "1"]));
  await runCommand(runDeactivate, here, { file }).catch(() => undefined);
  expect(here.stderr).toEqual([
    expect.stringMatching(/^entry 2: the dev_eui has 1 digit/),
    expect.stringMatching(/^entry 1: there is no device/),
  ]);
});

test("an ABP device among others is named as one", async () => {
  const session = { keys: { app_s_key: { key: keyOf(3) } } };
  const abp = { ids: { device_id: "abp", dev_eui: eui(2) }, supports_join: false, session };
  const { stderr, devices } = await importOf(lines([thing(1), abp]), "d.json");
  expect(devices).toHaveLength(1);
  expect(stderr.slice(1)).toEqual([
    "the device has session keys, as for ABP, and no AppKey: the console accepts OTAA devices, so ask the vendor for the AppKey: line 2",
  ]);
});

test("an error of a spreadsheet is not a comment", async () => {
  const errors = ["#NAME?", "#N/A", "#REF!", "#WERT!", "########"];
  const bad = errors.map((error) => row(3).replace("Tank 3", error)).join("");
  const content = `# made by hand\n${PLAIN}${row(1)}## a "comment\n#${row(2)}${bad}`;
  const { stderr } = await importOf(content, "d.csv");
  expect(stderr.join()).toContain("lines 7, 8 and 2 more");
});

test("integers of JSON keep all their digits", async () => {
  const digits = "1122334455667788";
  const json = JSON.stringify([{ ...device(1), dev_eui: 0 }]);
  const { devices } = await importOf(json.replace('"dev_eui":0', `"dev_eui":${digits}`), "d.json");
  expect(devices).toEqual([["Tank 1", digits]]);
});

test("NDJSON of the program itself is imported, with the names of labels", async () => {
  const listed = both((index) => ({
    id: `id-${index}`,
    ...device(index),
    config_profile_id: null,
    labels: [{ id: "x", name: "Pumps; all", rx_delay: null }],
  }));
  const exported = both((index) => ({ ...device(index), labels: ["Pumps; all"], dc_usage: 5 }));
  for (const content of [lines(listed), lines(exported)]) {
    const { sandbox, ended } = await importOf(content, "d.ndjson", { createLabels: true });
    expect(ended).toBe("");
    expect(held(sandbox).map(({ label_ids }) => label_ids.size)).toEqual([1, 1]);
    const [label] = sandbox.console.state.labels.values();
    expect(label?.name).toBe("Pumps; all");
  }
});

test("problems of JSON name the line at which a device begins, and the rows to fix are CSV", async () => {
  const json = JSON.stringify(
    [device(1), { ...thing(2), root_keys: null }, { name: "x" }],
    null,
    2,
  );
  const { devices, ended, stderr, files } = await importOf(json, "devices.json");
  expect(devices).toHaveLength(1);
  expect(stderr).toContain("the app_key is missing: lines 8 and 25");
  expect(ended).toContain("Correct them in");
  const fixed = files.read("devices.fix.csv").replace(/,,(?="the|the)/, `${keyOf(2)},`);
  expect(fixed.split("\n")[0]).toBe(
    "name,dev_eui,app_eui,app_key,ids.device_id,ids.dev_eui,ids.join_eui,supports_join,root_keys,session.keys.app_s_key.key,problem",
  );
});

const STOPPED: Readonly<Record<string, readonly [content: string, ends: string]>> = {
  "an EUI in a column of ids": [
    `Id,Name,ModelId,PROPERTY:AppKey,PROPERTY:AppEUI,PROPERTY:NwkSKey\n${eui(1)},Tank,Probe,${keyOf(1)},${APP_EUI},\n`,
    'devices.csv has no dev_eui column. The values of one column fit: map it with --map "Id=dev_eui". The columns are Id, Name, ModelId, PROPERTY:AppKey, PROPERTY:AppEUI, PROPERTY:NwkSKey.',
  ],
  "several columns that fit": [
    `Site,A,B,C,GatewayID,DevAddr\nNorth,${eui(1)},${APP_EUI},${keyOf(1)},${eui(7)},01020304\nSouth,${eui(2)},${APP_EUI},${keyOf(2)},${eui(8)},01020305\n`,
    'devices.csv has no dev_eui or app_eui or app_key column. The values of these columns fit: map them with --map "A=dev_eui" --map "B=app_eui" --map "C=app_key". If no column has the app_eui, set one for all devices with --app-eui.',
  ],
  "a header below a title, of which one name is known": [
    `Liste;;;\nName;Kennung;App-EUI;AppKey\nTank;${eui(1)};${APP_EUI};${keyOf(1)}\n`,
    'devices.csv has no dev_eui column. The values of one column fit: map it with --map "Kennung=dev_eui". The columns are Name, Kennung, App-EUI, AppKey.',
  ],
  "an app_eui in two cells above a header without a known dev_eui": [
    `JoinEUI;${APP_EUI}\nKennung;AppKey\n${eui(1)};${keyOf(1)}\n`,
    'has no dev_eui or app_eui column. The values of these columns fit: map one for each field with --map "Kennung=dev_eui", --map "Kennung=app_eui".',
  ],
  "no known name, with semicolons": [
    `Ort;Art\nNorth;x\n`,
    "Write the names of the columns in the first line, such as name;dev_eui;app_eui;app_key, with semicolons between the cells.",
  ],
  "one app_eui above a header without that column": [
    `Order 5,,\nAppEUI: ${APP_EUI},,\nDevEUI,AppKey,Serial\n${eui(1)},${keyOf(1)},s1\n`,
    "devices.csv has no app_eui column. Add it to the file. If no column has the app_eui, set one for all devices with --app-eui. The columns are DevEUI, AppKey, Serial.",
  ],
  "no column that fits": [
    `Site,Kind,DevEUI\nNorth,x,${eui(1)}\n`,
    "devices.csv has no app_eui or app_key column. Add them to the file. If no column has the app_eui, set one for all devices with --app-eui. The columns are Site, Kind, DevEUI.",
  ],
  "an export of the program without keys": [
    lines(
      both((index) => ({
        ...device(index),
        app_key: undefined,
        dc_usage: 1,
        id: `9a7e5f0c-0000-4000-8000-00000000000${index}`,
      })),
    ),
    "devices.csv has no app_key column. Make the file again with --reveal, which includes the keys, or add it to the file.",
  ],
  "names of fields in the first column": [
    `DevEUI,${eui(1)}\nAppEUI,${APP_EUI}\nAppKey,${keyOf(1)}\n`,
    "devices.csv has the names of its fields in the first column. Write them in the first line, such as name,dev_eui,app_eui,app_key, and each device in a line below.",
  ],
  "a field in each line": [
    `DevEUI: ${eui(1)}\nAppEUI: ${APP_EUI}\nAppKey: ${keyOf(1)}\n`,
    "devices.csv has the names of its fields in the first column.",
  ],
  "columns in blanks": [
    `dev_eui app_eui app_key\n${eui(1)} ${APP_EUI} ${keyOf(1)}\n`,
    "devices.csv has no dev_eui or app_eui or app_key column. Write the names of the columns in the first line, such as name,dev_eui,app_eui,app_key, with commas between the cells.",
  ],
  "bytes in reverse, by the name of the column": [
    `DevEUI (LSB),JoinEUI,AppKey\n${eui(1)},${APP_EUI},${keyOf(1)}\n`,
    "devices.csv has no dev_eui column. The bytes of the column DevEUI (LSB) are reversed: write them in the usual order, and call the column dev_eui.",
  ],
  "JSON of arrays": [
    '[["dev_eui", "app_key"]]',
    'devices.csv has no devices. Write an array of objects, such as [{"dev_eui": "0004A30B001C0530"}].',
  ],
  "session keys": [
    `SN,DEVEUI,DEVADDR,NWKSKEY,APPSKEY\n8497,${eui(1)},0147097F,${keyOf(1)},${keyOf(2)}\n`,
    "devices.csv is for ABP devices. The console accepts OTAA devices, which need an AppKey: ask the vendor for the AppKeys, and add them as a column app_key. The session keys of ABP cannot replace them.",
  ],
  "session keys in JSON": [
    JSON.stringify({
      ids: { dev_eui: eui(1) },
      session: { dev_addr: "0147097F", keys: { app_s_key: { key: keyOf(1) } } },
    }),
    "devices.csv is for ABP devices.",
  ],
  "a quote that is closed in the next row": [
    `${PLAIN}"${row(1)}"Tank 2",${row(2).slice(7)}`,
    "devices.csv is not a CSV file that can be read: a quote in or before line 3 is not closed",
  ],
  "JSON that ends early": [
    JSON.stringify(both(device), null, 2).slice(0, -4),
    "devices.csv is not JSON that can be read: see line 13.",
  ],
  "JSON with a comma too many": [
    '[\n{"dev_eui": "1"},\n]',
    "devices.csv is not JSON that can be read: see line 3.",
  ],
  "a device above the header": [
    row(1) + PLAIN + row(2),
    "devices.csv has the names of other columns in line 2. Write",
  ],
  "another header below": [
    `${PLAIN}${row(1)}name,app_eui,dev_eui,app_key\nTank 2,${APP_EUI},${eui(2)},${keyOf(2)}\n`,
    "devices.csv has the names of other columns in line 3. Write the rows from there on into a file of their own, and import both.",
  ],
  "a page": ["\uFEFF<html><table><tr>", "devices.csv is a page or XML. Save the table as CSV"],
  "an encrypted file": ["age-encryption.org/v1\n-> scrypt", "devices.csv is encrypted."],
};

test.for(Object.entries(STOPPED))(
  "a file stops the import before any request, and says what to do: %s",
  async ([, [content, ends]]) => {
    const { ended, devices } = await importOf(content, "devices.csv");
    expect(ended).toContain(ends);
    expect([devices, ended.includes(keyOf(1))]).toEqual([[], false]);
  },
);

test("maps by number do not read the title and the header, and name all columns of a file without one", async () => {
  const titled = `Liste;;;\nStand: 12.03.2024;;;\n;;;\nWas;Kennung;Gruppe;Geheim\n${row(1).replaceAll(",", ";")}`;
  const map = ["1=name", "2=dev_eui", "3=app_eui", "4=app_key"];
  expect(await importOf(titled, "d.csv", { map })).toMatchObject({
    devices: [["Tank 1", eui(1)]],
    stderr: ["The header is line 4."],
    ended: "",
  });
  for (const given of [{}, { map: ["2=dev_eui"] }])
    expect((await importOf(TWO, "d.csv", given)).ended).toBe(
      'd.csv has no header: write the names of its columns in the first line, such as name,dev_eui,app_eui,app_key, or map them by their numbers. The values of these columns fit: map them with --map "2=dev_eui" --map "3=app_eui" --map "4=app_key". Devices are called by their dev_eui, unless you map a name, such as --map "1=name".',
    );
  const below = `name,app_eui,dev_eui,app_key\nTank 2,${APP_EUI},${eui(2)},${keyOf(2)}\n`;
  expect(await importOf(row(1) + below, "d.csv", { map })).toMatchObject({
    devices: [],
    ended: expect.stringContaining("has the names of other columns in line 2"),
  });
});

test("a name in --map finds its column in any case, also inside of JSON", async () => {
  const nested = { Kennung: eui(1), app_eui: APP_EUI, app_key: keyOf(1), name: "Tank 1" };
  const { devices } = await importOf(JSON.stringify({ site: { things: [nested] } }), "d.json", {
    map: ["kennung=dev_eui"],
  });
  expect(devices).toEqual([["Tank 1", eui(1)]]);
});

test("a row that has an EUI, a key or two of the required cells is never skipped", async () => {
  const bad = `Tank,,,\n,${eui(3)},,\nTank,1.2E+15,,\nTank,,,${keyOf(1)}\nTank,n/a,n/a,\nTank,#N/A,,\n`;
  const { ended, stderr } = await importOf(PLAIN + row(1) + bad, "d.csv");
  expect(ended).toContain("5 of 6 rows were not imported");
  expect(stderr).toContain("Not read, because it has no EUI and no key: line 3.");
});

test("a header with names of --map is found below a title", async () => {
  const content = `Note,,,\nWas,Kennung,app_eui,app_key\n${row(1)}`;
  const map = ["Kennung=dev_eui", "Was=name"];
  expect((await importOf(content, "d.csv", { map })).devices).toEqual([["Tank 1", eui(1)]]);
});

test("a label is found by its id, and an id of another console is explained", async () => {
  const sandbox = emptyConsole();
  const here = testContext({ sandbox, yes: true });
  const { id } = await (await here.client("console")).labels.create({ name: "Pumps" });
  const files = folder();
  const content = `${PLAIN.trim()},label_id\n${row(1).trim()},${id}\n`;
  await runCommand(run, here, {}, files.write("a.csv", content));
  expect(held(sandbox)[0]?.label_ids).toEqual(new Set([id]));
  const other = "3f1e2d3c-0000-4000-8000-000000000001";
  const { ended, devices } = await importOf(content.replace(id, other), "b.csv", {
    createLabels: true,
  });
  expect([ended, devices]).toEqual([
    "The label IDs in line 2 are of another console, or the labels were deleted. Nothing was imported. Replace the column label_id by a column labels with the names of the labels.",
    [],
  ]);
});

test("the guide shows what the import of its file prints", async () => {
  const guide = readFileSync(
    join(import.meta.dirname, "../../../../docs/guides/cookbook.md"),
    "utf8",
  );
  const [, csv = "", printed = ""] =
    /```csv\n([^]*?)```[^]*?```text\n([^]*?)```/.exec(
      guide.split("### Import a file as it is, without code")[1] ?? "",
    ) ?? [];
  const { devices, stderr } = await importOf(csv, "note.csv");
  expect(devices.map(([name]) => name)).toEqual(["Meter 1", "Meter 3"]);
  expect(printed.split("\n").slice(0, stderr.length)).toEqual(stderr);
});

test("the commands that change devices read the same files", async () => {
  const sandbox = emptyConsole();
  const files = folder();
  await runCommand(
    run,
    testContext({ sandbox, yes: true }),
    {},
    files.write("all.csv", PLAIN + TWO),
  );
  const lists = {
    "array.json": JSON.stringify([eui(1)]),
    "list.txt": `# spares\n{ ${eui(2)
      .match(/../g)
      ?.map((byte) => `0x${byte}`)
      .join(", ")} },\n`,
  };
  for (const [name, content] of Object.entries(lists)) {
    const here = testContext({ sandbox, yes: true });
    await runCommand(runDeactivate, here, { file: files.write(name, content) });
  }
  expect(held(sandbox).map(({ active }) => active)).toEqual([false, false]);
});
