import { expect, test } from "vitest";
import { runDelete, runLabel } from "../../src/fleet/change-devices.ts";
import { run } from "../../src/fleet/import-devices.ts";
import { runCommand, testContext } from "../context.ts";
import { emptyConsole, errorOf, folder, held, keyOf, writes } from "./fleet-context.ts";

const APP = "70B3D57EF0000001";
const HEADER = "name,dev_eui,app_eui,app_key\n";
const toFile = (...euis: readonly (readonly [dev: string, app: string])[]): string =>
  HEADER + euis.map(([dev, app], at) => `d${at},${dev},${app},${keyOf(at)}\n`).join("");
const NWK = "11111111111111111111111111114701";
const OTHER = "22222222222222222222222222224701";

/** A file, what was found in it, the options that decide it, and the devices that are right. */
interface Case {
  readonly file: string;
  readonly says: string;
  readonly asks: string;
  readonly right: Readonly<Record<string, string | string[]>>;
  readonly devices: readonly (readonly [dev: string, app: string, key?: string])[];
  readonly otherwise: Readonly<Record<string, string | string[]>>;
}
const DOUBTS: Readonly<Record<string, Case>> = {
  "reversed bytes": {
    file: toFile(
      ["010054D07ED5B370", "010000F07ED5B370"],
      ["70B3D57ED0054602", APP],
      ["03005200F1F1F72C", "0100000000000000"],
    ),
    says: "The bytes of EUIs are probably reversed, because they end with the prefix of a vendor: lines 2 and 4. Nothing was sent. Add --euis reversed to reverse these EUIs, or --euis as-written to keep them.",
    asks: "The bytes of EUIs are probably reversed, because they end with the prefix of a vendor: lines 2 and 4. Reverse these EUIs?",
    right: { euis: "reversed" },
    devices: [
      ["70B3D57ED0540001", "70B3D57EF0000001"],
      ["70B3D57ED0054602", APP],
      ["2CF7F1F100520003", "0000000000000001"],
    ],
    otherwise: { euis: "as-written" },
  },
  "swapped columns": {
    file: toFile([APP, "70B3D57ED0054601"], [APP, "70B3D57ED0054602"], [APP, "70B3D57ED0054603"]),
    says: 'The columns dev_eui and app_eui are probably swapped: 3 values of app_eui share 1 of dev_eui. Nothing was sent. Add --map "app_eui=dev_eui" --map "dev_eui=app_eui" to swap them, or --map "dev_eui=dev_eui" --map "app_eui=app_eui" to keep them, without the rows that share a dev_eui.',
    asks: "The columns dev_eui and app_eui are probably swapped: 3 values of app_eui share 1 of dev_eui. Swap them?",
    right: { map: ["app_eui=dev_eui", "dev_eui=app_eui"] },
    devices: [
      ["70B3D57ED0054601", APP],
      ["70B3D57ED0054602", APP],
      ["70B3D57ED0054603", APP],
    ],
    otherwise: { map: ["dev_eui=dev_eui", "app_eui=app_eui"] },
  },
  "two keys": {
    file: `name,dev_eui,join_eui,nwk_key,app_key\na,70B3D57ED0054701,${APP},${NWK},${OTHER}\n`,
    says: 'The columns app_key and nwk_key have different keys: line 2. A LoRaWAN 1.0 network, such as that of the console, uses the NwkKey of a device that has both. Nothing was sent. Add --map "nwk_key=app_key" or --map "app_key=app_key".',
    asks: "The columns app_key and nwk_key have different keys: line 2. A LoRaWAN 1.0 network, such as that of the console, uses the NwkKey of a device that has both. Use the keys of nwk_key?",
    right: { map: "nwk_key=app_key" },
    devices: [["70B3D57ED0054701", APP, NWK]],
    otherwise: { map: "app_key=app_key" },
  },
};

test.for(Object.entries(DOUBTS))(
  "%s are a question: without a terminal or with --yes, an error that names its options",
  async ([, { file, says, asks, right, devices, otherwise }]) => {
    const files = folder();
    const path = files.write("devices.csv", file);
    const sandbox = emptyConsole();
    const made = (): unknown[] =>
      held(sandbox).map(({ dev_eui, app_eui, app_key }, at) =>
        devices[at]?.length === 3 ? [dev_eui, app_eui, app_key] : [dev_eui, app_eui],
      );
    for (const context of [
      testContext({ sandbox }),
      testContext({ sandbox, yes: true, answers: [] }),
    ]) {
      const { message, exitCode } = await errorOf(runCommand(run, context, {}, path));
      expect([message, exitCode]).toEqual([says, 2]);
    }
    const canceled = testContext({ sandbox, answers: [false] });
    const { message, exitCode } = await errorOf(runCommand(run, canceled, {}, path));
    expect([canceled.questions, exitCode]).toEqual([[asks], 1]);
    expect(message).toMatch(/^Canceled\. Nothing was changed\. Add --/);
    expect([writes(sandbox), files.names()]).toEqual([0, ["devices.csv"]]);

    const asked = testContext({ sandbox, answers: [true, true] });
    await runCommand(run, asked, {}, path);
    expect(asked.questions).toEqual([asks, expect.stringMatching(/^Create \d devices?\?$/)]);
    expect(made()).toEqual(devices);
    // An explicit choice asks nothing, and repeats nothing.
    await runCommand(run, testContext({ sandbox }), { ...right, ifExists: "skip" }, path);
    expect(made()).toEqual(devices);
    const kept = testContext({ sandbox: emptyConsole() });
    await runCommand(run, kept, otherwise, path).catch((error: unknown) =>
      expect(error).toMatchObject({ exitCode: 1 }),
    );
    expect(kept.questions).toEqual([]);
  },
);

test("an import asks before it reads the labels of the console", async () => {
  const sandbox = emptyConsole();
  const reversed = toFile(["010054D07ED5B370", "010000F07ED5B370"]);
  const path = folder().write(
    "devices.csv",
    reversed.replaceAll("\n", ",Pumps\n").replace("Pumps", "labels"),
  );
  expect(await errorOf(runCommand(run, testContext({ sandbox }), {}, path))).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining("--euis reversed"),
  });
  expect(sandbox.log.requests()).toEqual([]);
});

test("a command that changes devices asks the same, before it creates a label", async () => {
  const sandbox = emptyConsole();
  const file = folder().write("euis.txt", "010054D07ED5B370\n");
  const devices = (await testContext({ sandbox }).client("console")).devices;
  await devices.create({ name: "a", dev_eui: "70B3D57ED0540001", app_eui: APP, app_key: keyOf(1) });
  sandbox.log.clear();
  const options = { file, createLabels: true };
  const error = await errorOf(runCommand(runLabel, testContext({ sandbox }), options, "Pumps"));
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining("--euis reversed") });
  expect(sandbox.log.requests()).toEqual([]);
  await runCommand(runDelete, testContext({ sandbox }), { file, euis: "reversed" });
  expect(held(sandbox)).toEqual([]);
});

const AGAIN = "export it again from its source, with this column as text";
const MAYBE = `the dev_eui ends in a zero, as a number that a spreadsheet rounds: ${AGAIN}, or add --euis as-written if it is right`;
const ROUNDED = `the dev_eui was rounded by a spreadsheet, and lost its last digits: ${AGAIN}`;
/** The dev_euis of a file, and what is said of them. */
const DECIMALS: Readonly<
  Record<string, readonly [euis: readonly string[], says: readonly string[]]>
> = {
  "several rows that became one": [
    ["1122334455664000", "1122334455664000", "1122334455664000", "9876543210984010"],
    [`${ROUNDED}: lines 2, 3 and 2 more`],
  ],
  "one row": [["1122334455667780", "70B3D57ED0054602"], [`${MAYBE}: line 2`]],
  "rows that became one beside a whole one": [
    ["1122334455664000", "1122334455664000", "9876543210984012"],
    [`${ROUNDED}: lines 2 and 3`],
  ],
  "a series of decimal digits": [["1122334455667779", "1122334455667780"], []],
  "zeros at the beginning": [["0011001100110600"], []],
};

test.for(Object.entries(DECIMALS))(
  "rounded EUIs are found in the whole column: %s",
  async ([, [euis, says]]) => {
    const files = folder();
    const path = files.write("devices.csv", toFile(...euis.map((each) => [each, APP] as const)));
    const context = testContext({ sandbox: emptyConsole() });
    await runCommand(run, context, {}, path).catch((error: unknown) =>
      expect(error).toMatchObject({ exitCode: 1 }),
    );
    expect(context.stderr).toEqual(says);
    const sandbox = emptyConsole();
    const unique = [...new Set(euis)];
    const right = files.write("right.csv", toFile(...unique.map((each) => [each, APP] as const)));
    await runCommand(run, testContext({ sandbox }), { euis: "as-written" }, right);
    expect(held(sandbox).map(({ dev_eui }) => dev_eui)).toEqual(unique);
  },
);

test("an app_eui of the command line is not reversed", async () => {
  const sandbox = emptyConsole();
  const file = folder().write("a.csv", `dev_eui,app_key\n010054D07ED5B370,${keyOf(1)}\n`);
  const options = { euis: "reversed", appEui: "0000000000000001" };
  await runCommand(run, testContext({ sandbox }), options, file);
  expect(held(sandbox)).toMatchObject([
    { dev_eui: "70B3D57ED0540001", app_eui: "0000000000000001" },
  ]);
});

test("a session key is not an AppKey, even if --map says so", async () => {
  const file = `name,DEVEUI,JoinEUI,NWKSKEY\na,4768B26900301001,${APP},${NWK}\n`;
  const context = testContext({ sandbox: emptyConsole() });
  const path = folder().write("devices.csv", file);
  const options = { map: "NWKSKEY=app_key" };
  await errorOf(runCommand(run, context, options, path));
  expect(context.stderr).toEqual([
    "the app_key is the session key of NWKSKEY: the console takes OTAA devices, and needs their AppKey: line 2",
  ]);
});
