import { expect, test } from "vitest";
import {
  runActivate,
  runDeactivate,
  runDelete,
  runLabel,
  runUnlabel,
} from "../../src/fleet/change-devices.ts";
import type { Run } from "../../src/command.ts";
import { runCommand, testContext } from "../context.ts";
import {
  APP_EUI,
  emptyConsole,
  errorOf,
  eui,
  folder,
  held,
  keyOf,
  writes,
} from "./fleet-context.ts";

async function start(count = 4) {
  const sandbox = emptyConsole({ console: { duplicates: "allowed" } });
  const client = await testContext({ sandbox }).client("console");
  const label = await client.labels.create({ name: "Pumps" });
  for (let index = 0; index < count; index++)
    await client.devices.create({
      name: `Tank ${index}`,
      dev_eui: eui(index),
      app_eui: APP_EUI,
      app_key: keyOf(index),
      label_ids: index % 2 === 0 ? [label.id] : [],
    });
  sandbox.log.clear();
  const call = async (run: Run, options: Record<string, string | boolean>, ...args: string[]) => {
    const here = testContext({ sandbox, json: true, yes: true });
    const failure = await runCommand(run, here, { settleTime: "0.001", ...options }, ...args).catch(
      (error: unknown) => error as Error,
    );
    const printed = here.stdout.join("");
    return { ...here, failure, result: printed === "" ? undefined : JSON.parse(printed) };
  };
  const labels = () => held(sandbox).map(({ label_ids }) => label_ids.size);
  return { sandbox, client, call, labels };
}

test("adds a label to the devices of a list once: a second run sends no write", async () => {
  const { sandbox, call, labels } = await start();
  const file = folder().write("euis.txt", `${eui(0)}\n${eui(1).toLowerCase()}\n\n${eui(3)}\n`);
  const options = { file, createLabels: true };
  expect(await call(runLabel, options, "Winter")).toMatchObject({
    result: { done: 3, unchanged: 0 },
  });
  expect(labels()).toEqual([2, 1, 1, 1]);
  const sent = writes(sandbox);
  expect(await call(runLabel, options, "Winter")).toMatchObject({
    result: { done: 0, unchanged: 3 },
  });
  expect(writes(sandbox)).toBe(sent);
});

test("--create-labels creates nothing if a label of the selection is misspelled", async () => {
  const { sandbox, call } = await start();
  const options = { label: "Pump", createLabels: true };
  const adding = await call(runLabel, options, "Winter");
  expect(adding.failure?.message).toBe(
    'There is no label of this name: did you mean "Pumps", or see "fieldmesh console labels list".',
  );
  const deleting = await call(runDelete, { label: "Gates" });
  expect(deleting.failure?.message).toBe(
    'There is no label of this name: see "fieldmesh console labels list".',
  );
  const names = [...sandbox.console.state.labels.values()].map(({ name }) => name);
  expect(names).toEqual(["Pumps"]);
});

test("changes all devices of a label", async () => {
  const { call, labels, sandbox } = await start();
  const active = () => held(sandbox).map((device) => device.active);
  await call(runDeactivate, { label: "Pumps" });
  expect(active()).toEqual([false, true, false, true]);
  await call(runActivate, { label: "Pumps" });
  expect(active()).toEqual([true, true, true, true]);
  await call(runUnlabel, { label: "Pumps" }, "Pumps");
  expect(labels()).toEqual([0, 0, 0, 0]);
});

test("deletes despite faults, and a device that is already deleted is not an error", async () => {
  const { call, sandbox } = await start(30);
  sandbox.setFaults({ rate: 0.2, kinds: ["lost", "reset", 503], on: "devices.delete" });
  const file = folder().write("euis.csv", `DevEUI,x\n${eui(1)},1\n${eui(99)},2\n${eui(2)},3\n`);
  const { result, failure, stderr } = await call(runDelete, { file });
  expect([result, failure]).toEqual([
    { done: 2, unchanged: 0, not_found: 1, failed: 0, unknown: 0, unsettled: 0 },
    undefined,
  ]);
  expect(stderr).toContain(`line 3: there is no device ${eui(99)}`);
  expect(await call(runDelete, { label: "Pumps" })).toMatchObject({ result: { done: 14 } });
  expect(held(sandbox)).toHaveLength(14);
});

const COMMANDS: Readonly<Record<string, readonly [run: Run, ...names: string[]]>> = {
  label: [runLabel, "Pumps"],
  unlabel: [runUnlabel, "Pumps"],
  activate: [runActivate],
  deactivate: [runDeactivate],
  delete: [runDelete],
};

/** What a line of the file may hold: what is printed, and the number that counts it. */
const LINES: Readonly<Record<string, readonly [cells: string, says: string, as: string]>> = {
  "a device that is not there": [`${eui(99)},`, `there is no device ${eui(99)}`, "not_found"],
  "a rounded EUI": ["4.6E+15,", "the dev_eui became a number with an exponent", "failed"],
  "an EUI with lost zeros": ["4A30B001C0001,", "the dev_eui has 13 digits instead of", "failed"],
  "a key in place of the EUI": [
    `${keyOf(3)},`,
    "the dev_eui has 32 digits, as many as a key",
    "failed",
  ],
  "no EUI": [`,${APP_EUI}`, "the dev_eui is missing", "failed"],
  "a wrong app_eui": [`${eui(99)},1`, "write 0000000000000001", "failed"],
  "a shared EUI": [`${eui(1)},`, "2 devices have the dev_eui", "failed"],
  "two shared EUIs": [`${eui(2)},${APP_EUI}`, "change them in the console, by their ids", "failed"],
};

test.for(
  Object.keys(COMMANDS).flatMap((name) => Object.keys(LINES).map((kind) => [name, kind] as const)),
)("devices %s --file with %s", async ([name, kind]) => {
  const { call, client, sandbox } = await start();
  const twin = { name: "Twin", dev_eui: eui(1), app_eui: "70B3D57ED0010002", app_key: keyOf(9) };
  await client.devices.create(twin);
  await client.devices.create({ ...twin, dev_eui: eui(2), app_eui: APP_EUI });
  const [run, ...names] = COMMANDS[name]!;
  const [cells, says, as] = LINES[kind]!;
  const before = JSON.stringify(held(sandbox).slice(1));
  const file = folder().write("e.csv", `dev_eui,app_eui\n${eui(0)},${APP_EUI}\n${cells}\n`);
  const { result, failure, stderr } = await call(run, { file }, ...names);
  const numbers = { not_found: 0, failed: 0, unknown: 0, [as]: 1 };
  expect(result).toMatchObject(numbers);
  expect(result.done + result.unchanged).toBe(1);
  expect(stderr).toEqual([expect.stringMatching(`^line 3: .*${says}`)]);
  expect(stderr.join("")).not.toContain(keyOf(3));
  if (name === "delete" && as === "not_found") expect(failure).toBeUndefined();
  else
    expect(failure).toMatchObject({
      exitCode: 1,
      message: "1 line of the file does not match exactly one device of the console. Correct it.",
    });
  expect(JSON.stringify(held(sandbox).slice(name === "delete" ? 0 : 1))).toBe(before);
});

test("lines that match no device and changes that fail are in one message", async () => {
  const { call, sandbox } = await start();
  sandbox.setFaults([{ on: "devices.delete", kind: "status", status: 422 }]);
  const file = folder().write("euis.txt", `${eui(0)}\n${eui(1)}\n1\n2\n`);
  const { failure, result } = await call(runDelete, { file });
  expect(result).toMatchObject({ done: 1, unchanged: 0, not_found: 0, failed: 3, unknown: 0 });
  expect(failure?.message).toBe(
    "1 device could not be changed. Run the same command again. It skips the devices that are done. 2 lines of the file do not match exactly one device each. Correct them.",
  );
});

test("titles and totals of a file are not read, and are named, as by an import", async () => {
  const { call } = await start();
  const rows = `Pumps,,\n${eui(0)},Tank,1\n${eui(1)},Pump,2\n,Total:,2\n`;
  const file = folder().write("order.csv", `dev_eui,name,count\n${rows}`);
  const { failure, result, stderr } = await call(runDelete, { file });
  expect([failure, result]).toMatchObject([undefined, { done: 2, not_found: 0, failed: 0 }]);
  expect(stderr).toContain("Not read, because they have no EUI and no key: lines 2 and 5.");
});

test("a run that is stopped says what became of each device, and so does its record", async () => {
  const { sandbox } = await start(40);
  const stopped = new AbortController();
  let deleted = 0;
  sandbox.setFaults(() => {
    if (++deleted === 12) stopped.abort();
    return undefined;
  });
  const here = testContext({ sandbox, json: true, yes: true, signal: stopped.signal });
  const { message } = await errorOf(runCommand(runDelete, here, { label: "Pumps" }));
  const { done, failed, unknown, unsettled } = JSON.parse(here.stdout.join(""));
  const left = 20 - done - failed - unknown - unsettled;
  expect(message).toBe(
    `Stopped: ${done} done, ${left} not sent; ${unsettled} were sent and have no result yet: run the same command again to settle them.`,
  );
  expect([unsettled > 0, left > 0, failed, unknown]).toEqual([true, true, 0, 0]);
});

test("asks on a terminal, and changes nothing if the user says no", async () => {
  const { sandbox } = await start();
  const here = testContext({ sandbox, answers: [false] });
  const { message } = await errorOf(runCommand(runDelete, here, { label: "Pumps" }));
  expect([message, here.questions, writes(sandbox)]).toEqual([
    "Canceled. Nothing was changed.",
    ["Delete 2 devices?"],
    0,
  ]);
});

test.for([{}, { label: "Pumps", file: "euis.txt" }, { label: "Pump" }])(
  "the selection %j is rejected",
  async (options) => {
    const { call, sandbox } = await start();
    const { failure } = await call(runDelete, options);
    expect(failure).toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(
        /^Select the devices|^There is no label of this name: did you mean/,
      ),
    });
    expect(writes(sandbox)).toBe(0);
  },
);
