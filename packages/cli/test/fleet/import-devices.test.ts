import { writeFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { run } from "../../src/fleet/import-devices.ts";
import { runCommand, testContext, type TestContext } from "../context.ts";
import {
  APP_EUI,
  emptyConsole,
  errorOf,
  eui,
  folder,
  held,
  keyOf,
  letTimePass,
  writes,
} from "./fleet-context.ts";

const HEADER = "name,dev_eui,app_eui,app_key,labels\n";
const line = (index: number, labels = ""): string =>
  `Tank ${index},${eui(index)},${APP_EUI},${keyOf(index)},${labels}\n`;
const fleet = (count: number): string => {
  let lines = HEADER;
  for (let index = 0; index < count; index++) lines += line(index);
  return lines;
};
const HINT = "(observed; --no-observed-rules turns this off)";
const QUICK = { settleTime: "0.001" };

const contexts: TestContext[] = [];
function context(options: Parameters<typeof testContext>[0]): TestContext {
  const made = testContext(options);
  contexts.push(made);
  return made;
}
afterEach(() => {
  const printed = contexts.splice(0).flatMap(({ stdout, stderr }) => [...stdout, ...stderr]);
  if (/5EC2E7/i.test(printed.join("\n"))) throw new Error("A key was printed.");
});

test("imports devices with their labels, by name", async () => {
  const sandbox = emptyConsole();
  const here = context({ sandbox, json: true });
  const file = folder().write("devices.csv", HEADER + line(1, "Pumps;North") + line(2));
  await runCommand(run, here, { label: ["All"], createLabels: true }, file);
  expect(JSON.parse(here.stdout.join(""))).toEqual({
    created: 2,
    skipped: 0,
    failed: 0,
    unknown: 0,
    unsettled: 0,
  });
  const names = ({ label_ids }: { label_ids: ReadonlySet<string> }): (string | undefined)[] =>
    [...label_ids].map((id) => sandbox.console.state.labels.get(id)?.name);
  expect(held(sandbox).map(names)).toEqual([["Pumps", "North", "All"], ["All"]]);
});

test("rejects a file that is not UTF-8, because its names would be damaged", async () => {
  const sandbox = emptyConsole();
  const file = folder().at("devices.csv");
  writeFileSync(file, Buffer.from(`${HEADER}${line(1).replace("Tank", "S\u00FCdtank")}`, "latin1"));
  const error = await errorOf(runCommand(run, context({ sandbox }), {}, file));
  expect(error).toMatchObject({ exitCode: 2 });
  expect(error.message).toContain('is not in UTF-8, so names would be damaged. Save it as "CSV');
  expect(held(sandbox)).toEqual([]);
});

test("explains invalid rows, writes them to a fix file with mode 0600, and imports the corrected file", async () => {
  const sandbox = emptyConsole();
  await (await context({ sandbox }).client("console")).labels.create({ name: "Pumps" });
  const here = context({ sandbox });
  const files = folder();
  const bad = [
    `Tank 2,4.6E+15,${APP_EUI},${keyOf(2)},`,
    `Tank 3,4A30B001C0001,${APP_EUI},${keyOf(3)},`,
    `Tank 4,0O04A30B00000004,${APP_EUI},${keyOf(4)},`,
    `Tank 5,${eui(5)},${APP_EUI},,`,
    `Tank 6,${eui(6)},${APP_EUI},${keyOf(6).slice(2)},`,
    `Tank 7,${eui(7)},${APP_EUI},${"0".repeat(32)},Pump`,
    `=Tank 1,${eui(1)},${APP_EUI},${keyOf(1)},`,
  ];
  const file = files.write("devices.csv", HEADER + line(1, "Pumps") + `${bad.join("\n")}\n`);
  const { message, exitCode } = await errorOf(runCommand(run, here, {}, file));
  expect([message, exitCode]).toEqual([
    expect.stringMatching(/^7 of 8 rows were not imported\. Correct them in .*devices\.fix\.csv/),
    1,
  ]);
  expect(here.stderr).toEqual([
    "the dev_eui became a number with an exponent, and lost digits: export it again from its source, with this column as text: line 3",
    "the dev_eui has 13 digits instead of 16: if zeros at its beginning are lost, write 0004A30B001C0001: line 4",
    "the dev_eui has the letter O as digit 2, probably 0: line 5",
    "the app_key is missing: line 6",
    "the app_key has 30 digits instead of 32: if zeros at its beginning are lost, write 2 zeros before it: line 7",
    "the app_key is a placeholder: enter the one of the device: line 8",
    'there is no label of this name: did you mean "Pumps", or create it with --create-labels: line 8',
    "the same device is in line 2 (delete one of them): line 9",
  ]);
  expect(files.names()).toEqual(["devices.csv", "devices.fix.csv"]);
  expect(files.modeOf("devices.fix.csv")).toBe("600");

  const fixed = files
    .read("devices.fix.csv")
    .replace("4.6E+15", eui(2))
    .replace("4A30B001C0001", eui(3))
    .replace("0O04", "0004")
    .replace(`${APP_EUI},,`, `${APP_EUI},${keyOf(5)},`)
    .replace(keyOf(6).slice(2), keyOf(6))
    .replace("0".repeat(32), keyOf(7))
    .replace("Pump,", "Pumps,");
  files.write("devices.fix.csv", fixed);
  await runCommand(run, here, { ifExists: "skip" }, files.at("devices.fix.csv"));
  expect(held(sandbox)).toHaveLength(7);
});

test("a fix file is never overwritten, because it may contain corrections or be the imported file", async () => {
  const sandbox = emptyConsole();
  const files = folder();
  files.write("devices.csv", HEADER + line(1).replace(eui(1), "1") + line(2).replace(eui(2), "2"));
  const fixFileOf = async (name: string): Promise<string | undefined> => {
    const { message } = await errorOf(runCommand(run, context({ sandbox }), {}, files.at(name)));
    return /Correct (?:it|them) in .*\/(\S+),/.exec(message)?.[1];
  };
  expect(await fixFileOf("devices.csv")).toBe("devices.fix.csv");
  // The existing fix file has the same rows, so it is used again.
  expect(await fixFileOf("devices.csv")).toBe("devices.fix.csv");
  const corrected = files.read("devices.fix.csv").replace(",1,", `,${eui(1)},`);
  files.write("devices.fix.csv", corrected);
  expect(await fixFileOf("devices.csv")).toBe("devices.fix.2.csv");
  expect(await fixFileOf("devices.fix.csv")).toBe("devices.fix.3.csv");
  expect(files.read("devices.fix.csv")).toBe(corrected);
  expect(files.read("devices.fix.3.csv").split("\n")).toHaveLength(3);
});

test("a fix file has the byte order mark, line ends and delimiter of its file", async () => {
  const files = folder();
  const rows = `${HEADER}Süd,1,${APP_EUI},${keyOf(1)},\n`.replaceAll(",", ";");
  const file = files.write("devices.csv", `\uFEFF${rows.replaceAll("\n", "\r\n")}`);
  await errorOf(runCommand(run, context({ sandbox: emptyConsole() }), {}, file));
  const [header, row, end] = files.read("devices.fix.csv").split("\r\n");
  expect(header).toBe("\uFEFFname;dev_eui;app_eui;app_key;labels;problem");
  expect([row?.startsWith("Süd;1;"), end]).toEqual([true, ""]);
});

test("a problem that only the file shows is reported with the first line of its row", async () => {
  const sandbox = emptyConsole();
  const here = context({ sandbox });
  const files = folder();
  const rows = [
    `"=two\r\nlines",${eui(1)},${APP_EUI},${keyOf(1)},`,
    `Tank 1,${eui(1).toLowerCase()},${APP_EUI},${keyOf(1)},`,
    `Tank 2,${eui(2)},${APP_EUI},${keyOf(2)},Gates,Gate`,
    `Tank 3,${eui(3)},${APP_EUI},,`,
    `Tank 4,${eui(4)},${APP_EUI},${keyOf(4)},,,`,
  ];
  const file = files.write("devices.csv", `${HEADER}${rows.join("\r\n")}\r\n`);
  const { message } = await errorOf(runCommand(run, here, {}, file));
  expect(message).toContain("3 of 5 rows were not imported.");
  expect(here.stderr).toEqual([
    // Even if the first row fails, a second one would be created in place of the row that needs a correction.
    "the same device is in line 2 (delete one of them): line 4",
    'the row has 6 cells, and the header has 5: put quotes around a cell that contains ",": line 5',
    "there is no label of this name: create it with --create-labels: line 5",
    "the app_key is missing: line 6",
  ]);
  expect(held(sandbox).map(({ name }) => name)).toEqual(["=two\r\nlines", "Tank 4"]);
  expect(files.read("devices.fix.csv")).toContain('with --create-labels",Gate\n');
});

test("reports all problems of a row together, and creates no label for a row that is not imported", async () => {
  const sandbox = emptyConsole();
  const rows = [
    `${"Tank ".repeat(12)},0O04A30B00000001,,${keyOf(1).slice(2)},Spares`,
    `Tank 2,${eui(2)},${APP_EUI},${keyOf(2)},Pumps`,
  ];
  const file = folder().write("devices.csv", `${HEADER}${rows.join("\n")}\n`);
  const here = context({ sandbox });
  await errorOf(runCommand(run, here, { createLabels: true }, file));
  expect(here.stderr).toEqual([
    `name must have at most 52 characters ${HINT}: line 2`,
    "the app_eui is missing: add it, or set one for all devices with --app-eui: line 2",
    "the dev_eui has the letter O as digit 2, probably 0: line 2",
    "the app_key has 30 digits instead of 32: if zeros at its beginning are lost, write 2 zeros before it: line 2",
    "Created 1 label.",
  ]);
  expect([...sandbox.console.state.labels.values()].map(({ name }) => name)).toEqual(["Pumps"]);
  expect(held(sandbox)).toHaveLength(1);
});

test("groups equal problems, and names at most three lines of a group", async () => {
  const here = context({ sandbox: emptyConsole() });
  const bad = [1, 2, 3, 4].map((index) => `Tank,${eui(index)},${APP_EUI},,\n`).join("");
  const twice = line(5) + line(5) + line(6) + line(6);
  const letters = line(7).replace("5EC2", "5ZZ2") + line(8).replace("5EC2", "Z5Z2");
  const decimals = [7, 8].map(
    (index) => `Tank,112233445566778${index}.0,${APP_EUI},${keyOf(20)},\n`,
  );
  const rows = bad + twice + letters + decimals.join("");
  await errorOf(runCommand(run, here, {}, folder().write("devices.csv", HEADER + rows)));
  expect(here.stderr).toEqual([
    "the app_key is missing: lines 2, 3 and 2 more",
    "the same device is in another line (delete one of them): lines 7 and 9",
    "the app_key has the letter Z, probably 2, twice: lines 10 and 11",
    "the dev_eui became a number with decimals: write them without the decimals: lines 12 and 13",
  ]);
});

test("missing labels stop an import before the first write, as one problem with the number of rows", async () => {
  const sandbox = emptyConsole();
  await (await context({ sandbox }).client("console")).labels.create({ name: "Pumps" });
  sandbox.log.clear();
  const here = context({ sandbox });
  const rows = line(1, "Pump") + line(2, "Pump;Site 2024") + line(3, "Pumps");
  const file = folder().write("devices.csv", HEADER + rows);
  const { message, exitCode } = await errorOf(runCommand(run, here, {}, file));
  expect([message, exitCode]).toEqual([
    '2 labels do not exist: "Pump" in lines 2 and 3 (did you mean "Pumps"?), one in line 3. Nothing was imported. Add --create-labels to create what is missing, or correct the file.',
    2,
  ]);
  expect(writes(sandbox)).toBe(0);
  await runCommand(run, here, { createLabels: true }, file);
  expect(held(sandbox)).toHaveLength(3);
});

test.each([
  [{}, true, "Create 2 devices, leave out 3 rows?", 2],
  [{ createLabels: true }, true, "Create 1 label and 2 devices, leave out 3 rows?", 2],
  [{}, false, "Create 2 devices, leave out 3 rows?", 0],
])(
  "with %j, the question names what is created and left out",
  async (options, answer, asked, made) => {
    const sandbox = emptyConsole();
    const here = context({ sandbox, answers: [answer] });
    const label = "createLabels" in options ? "Pumps" : "";
    const bad = [3, 4, 5].map((index) => `Tank,${eui(index)},${APP_EUI},,\n`).join("");
    const file = folder().write("devices.csv", HEADER + line(1, label) + line(2) + bad);
    const { message, exitCode } = await errorOf(runCommand(run, here, options, file));
    expect(here.questions).toEqual([asked]);
    expect(exitCode).toBe(1);
    expect(message).toContain(answer ? "3 of 5 rows were not imported" : "Nothing was changed");
    expect(held(sandbox)).toHaveLength(made);
  },
);

const CONFLICT = `the device in another line has the same dev_eui, with another app_eui or app_key: correct the wrong one, or leave it out ${HINT}`;
const CONFLICTS: Readonly<Record<string, readonly [rows: string, problem: string]>> = {
  "another app_key": [line(1) + line(1).replace(keyOf(1), keyOf(2)), `${CONFLICT}: lines 2 and 3`],
  "another app_eui": [line(1) + line(1).replace(APP_EUI, eui(9)), `${CONFLICT}: lines 2 and 3`],
  "a rounded column": [
    line(1) + line(1).replace(keyOf(1), keyOf(2)) + line(1).replace(keyOf(1), keyOf(3)),
    `${CONFLICT}: lines 2, 3 and 4`,
  ],
  "only zeros": [
    line(1).replace(eui(1), "0".repeat(16)),
    "the dev_eui is a placeholder: enter the one of the device: line 2",
  ],
  "only F": [
    line(1).replace(eui(1), "f".repeat(16)),
    "the dev_eui is a placeholder: enter the one of the device: line 2",
  ],
};

test.for(Object.entries(CONFLICTS))(
  "rows with a dev_eui of %s are one question, and are left out",
  async ([, [rows, problem]]) => {
    const count = rows.trim().split("\n").length;
    const sandbox = emptyConsole({ console: { duplicates: "allowed" } });
    const files = folder();
    const file = files.write("devices.csv", HEADER + rows + line(5));
    const here = context({ sandbox, answers: [true] });
    const { message } = await errorOf(runCommand(run, here, {}, file));
    expect(here.stderr).toEqual([problem]);
    expect(here.questions).toEqual([
      `Create 1 device, leave out ${count} row${count === 1 ? "" : "s"}?`,
    ]);
    expect(message).toContain(`${count} of ${count + 1} rows`);
    expect(held(sandbox).map(({ name }) => name)).toEqual(["Tank 5"]);
    expect(files.read("devices.fix.csv").trim().split("\n")).toHaveLength(count + 1);

    const all = context({ sandbox, observedRules: false });
    await runCommand(run, all, { ifExists: "skip" }, file);
    expect(held(sandbox)).toHaveLength(count + 1);
  },
);

test("--strict imports nothing if a row has a problem", async () => {
  const sandbox = emptyConsole();
  const files = folder();
  const file = files.write("devices.csv", `${HEADER}${line(1)}Tank,1,${APP_EUI},${keyOf(2)},\n`);
  const { message, exitCode } = await errorOf(
    runCommand(run, context({ sandbox, yes: true }), { strict: true }, file),
  );
  expect([message, exitCode]).toEqual([
    `1 of 2 rows cannot be imported, so nothing was. Correct it in ${file}, or leave out --strict.`,
    2,
  ]);
  expect([writes(sandbox), files.names()]).toEqual([0, ["devices.csv"]]);
});

test("a device that the console rejects is a row of the fix file, with the message of the console", async () => {
  const sandbox = emptyConsole();
  const files = folder();
  await runCommand(run, context({ sandbox }), {}, files.write("first.csv", fleet(1)));
  const here = context({ sandbox });
  await errorOf(runCommand(run, here, {}, files.write("second.csv", fleet(2))));
  expect(here.stderr).toContain("dev_eui: has already been taken: line 2");
  expect(files.read("second.fix.csv")).toContain("has already been taken");
});

test("after a stop, a rejected key and lost responses, no device is lost or duplicated", async () => {
  const sandbox = emptyConsole({ console: { duplicates: "allowed" } });
  const files = folder();
  const file = files.write("devices.csv", fleet(400));
  const stopped = new AbortController();
  let batches = 0;
  sandbox.setFaults(({ row }) => {
    if (row === "devices.createBatch" && ++batches === 2) stopped.abort();
    return undefined;
  });
  const here = context({ sandbox, signal: stopped.signal, json: true });
  const first = await errorOf(runCommand(run, here, QUICK, file));
  const { created, unsettled } = JSON.parse(here.stdout.join(""));
  expect([first.message, first.exitCode]).toEqual([
    `Stopped: ${created} created, ${400 - created - unsettled} not sent; ${unsettled} were sent and have no result yet: run the same command again to settle them.`,
    130,
  ]);
  expect(files.names()).toEqual(["devices.csv", "devices.csv.import.json"]);
  letTimePass();
  expect(files.modeOf("devices.csv.import.json")).toBe("600");
  expect(files.read("devices.csv.import.json")).not.toContain("5EC2E7");

  sandbox.setFaults([{ on: "devices.createBatch", kind: "status", status: 401, times: Infinity }]);
  const second = await errorOf(runCommand(run, context({ sandbox }), QUICK, file));
  expect([second.message, second.exitCode]).toEqual([expect.stringContaining("401"), 1]);

  sandbox.setFaults({ rate: 0.3, kinds: ["lost", "reset", 503], on: "devices.createBatch" });
  const last = context({ sandbox, json: true });
  await runCommand(run, last, QUICK, file);
  expect(last.stderr[0]).toMatch(/^Resuming from /);
  expect(JSON.parse(last.stdout.join(""))).toMatchObject({ created: 400, failed: 0, unknown: 0 });
  const euis = held(sandbox).map(({ dev_eui }) => dev_eui);
  expect([euis.length, new Set(euis).size]).toEqual([400, 400]);
  expect(files.names()).toEqual(["devices.csv"]);
});

test("a state file of another list is rejected before a request is sent", async () => {
  const sandbox = emptyConsole();
  const files = folder();
  const file = files.write("devices.csv", fleet(110));
  sandbox.setFaults([{ on: "devices.createBatch", kind: "status", status: 401, skip: 1 }]);
  await errorOf(runCommand(run, context({ sandbox }), QUICK, file));
  files.write("devices.csv", fleet(110).replace(line(0), ""));
  sandbox.log.clear();
  const { message, exitCode } = await errorOf(runCommand(run, context({ sandbox }), QUICK, file));
  expect([message, exitCode]).toEqual([
    expect.stringMatching(
      /devices\.csv\.import\.json belongs to an unfinished run with other devices/,
    ),
    2,
  ]);
  expect(writes(sandbox)).toBe(0);
});

const named = (
  { console: { baseUrl, state } }: ReturnType<typeof emptyConsole>,
  address: string = baseUrl,
) => `${address} (organization "${state.organization.name}", ${state.organization.id})`;

test.for(["another address", "another organization"])(
  "a resume in a console of %s names both, and sends no write",
  async (what) => {
    const files = folder();
    const file = files.write("devices.csv", fleet(10));
    const first = emptyConsole();
    first.setFaults([{ on: "devices.createBatch", kind: "status", status: 401 }]);
    await errorOf(runCommand(run, context({ sandbox: first }), QUICK, file));
    const other = emptyConsole({ seed: 2 });
    const { baseUrl } = first.console;
    const away: typeof first.console = {
      ...first.console,
      baseUrl: baseUrl.replace("//", "//away."),
      fetch: (url, init) =>
        first.console.fetch(new Request(url).url.replace("//away.", "//"), init),
    };
    const sandbox = what === "another address" ? { ...first, console: away } : other;
    const here = context({ sandbox, yes: true });
    const { message, exitCode } = await errorOf(
      runCommand(run, here, { createLabels: true, label: ["New"], ...QUICK }, file),
    );
    expect(exitCode).toBe(2);
    expect(message).toMatch(/devices\.csv\.import\.json belongs to an unfinished run in http/);
    const now = what === "another address" ? named(first, away.baseUrl) : named(other);
    for (const console of [named(first), now]) expect(message).toContain(console);
    expect([here.stderr, held(first), writes(other)]).toEqual([[], [], 0]);
  },
);

test("a label that another process creates at the same time is used, and not created twice", async () => {
  const sandbox = emptyConsole();
  const files = folder();
  const runs = [1, 2, 3].map((index) =>
    runCommand(
      run,
      context({ sandbox }),
      { createLabels: true, ...QUICK },
      files.write(`devices-${index}.csv`, HEADER + line(index, "Pumps")),
    ),
  );
  await Promise.all(runs);
  expect(sandbox.console.state.labels.size).toBe(1);
  expect(held(sandbox).map(({ label_ids }) => label_ids.size)).toEqual([1, 1, 1]);
});
