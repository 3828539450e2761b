import { expect, test } from "vitest";
import { run } from "../../src/fleet/import-devices.ts";
import { runCommand, testContext } from "../context.ts";
import { APP_EUI, emptyConsole, errorOf, eui, folder, held, keyOf } from "./fleet-context.ts";

const COUNT = 4;
const DECIDE = "correct the row, or add --euis as-written if it is right";
const ALIKE = `the dev_eui begins as another column does, and another cell of the row as the dev_euis of other rows or of a vendor: ${DECIDE}`;
const serial = (index: number): string => `613612345678001${index}`;
const joinEui = (index: number): string => `70B3D57ED000000${index}`;
const unknown = (index: number): string => `${index}${index}790000000000C2`;

type Row = readonly [name: string, dev_eui: string, app_eui: string];
/** Rows of devices, what damages them, and the problem that says so. */
const CASES: Readonly<Record<string, readonly [(index: number) => Row, string]>> = {
  "a dev_eui that is the app_eui of others": [
    (index) => (index === 3 ? ["c", APP_EUI, eui(3)] : ["any", eui(index), APP_EUI]),
    `the dev_eui is the app_eui in line 2: ${DECIDE}: line 4`,
  ],
  "the app_eui of another device": [
    (index) => ["any", eui(index), eui(index === 3 ? 2 : index)],
    `the app_eui is the dev_eui in line 3, and most devices have their own: ${DECIDE}: line 4`,
  ],
  "EUIs that begin as those of the other column": [
    (index) => (index === 3 ? ["c", joinEui(3), eui(3)] : ["any", eui(index), joinEui(index)]),
    `${ALIKE}: line 4`,
  ],
  "a number of a series as dev_eui": [
    (index) => (index === 3 ? [eui(3), serial(3), APP_EUI] : [serial(index), eui(index), APP_EUI]),
    `${ALIKE}: line 4`,
  ],
  "names and dev_euis exchanged": [
    (index) => [eui(index), serial(index), APP_EUI],
    `${ALIKE}: lines 2, 3 and 2 more`,
  ],
  "reversed bytes of an unknown vendor": [
    (index) => ["any", unknown(index), APP_EUI],
    `the dev_eui ends as those of other rows do, and begins as none, so its bytes are probably reversed: ${DECIDE}: lines 2, 3 and 2 more`,
  ],
};

test.for(Object.entries(CASES))(
  "leaves out %s, which an option keeps",
  async ([, [row, problem]]) => {
    const rows = Array.from({ length: COUNT }, (_, at) => [...row(at + 1), keyOf(at + 1)].join());
    const sheet = ["name,dev_eui,app_eui,app_key", ...rows].join("\n");
    const [sandbox, file] = [emptyConsole(), folder().write("devices.csv", sheet)];
    const here = testContext({ sandbox, yes: true });
    expect(await errorOf(runCommand(run, here, {}, file))).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining("add --euis as-written there if its EUIs are right"),
    });
    expect(here.stderr).toEqual([problem]);
    const kept = testContext({ sandbox, yes: true });
    await runCommand(run, kept, { euis: "as-written", ifExists: "skip" }, file);
    expect(held(sandbox)).toHaveLength(COUNT);
  },
);

test.for([
  ["#N/A", "the name is #N/A, which is not a name: enter it, or leave the cell empty"],
  ["########", "the name is ########, which is not a name: enter it, or leave the cell empty"],
  [
    "6.13612E+15",
    "the name became a number with an exponent, and lost digits: export it again from its source, with this column as text",
  ],
  ["Tank\uFFFD8", "the name has a damaged character: write it again"],
  [
    "6 136 123 456 780",
    "the name became a number with separators, and may have lost digits: export it again from its source, with this column as text",
  ],
  ["613612345678.0", "the name became a number with decimals: write 613612345678"],
])("the name %s has a problem", async ([name, problem]) => {
  const rows = `name,dev_eui,app_eui,app_key\n${[name, eui(1), APP_EUI, keyOf(1)].join()}\n`;
  const [sandbox, file] = [emptyConsole(), folder().write("devices.csv", rows)];
  const here = testContext({ sandbox, yes: true });
  expect(await errorOf(runCommand(run, here, {}, file))).toMatchObject({ exitCode: 1 });
  expect(here.stderr).toEqual([`${problem}: line 2`]);
});
