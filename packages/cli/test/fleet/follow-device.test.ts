import { createSandbox } from "@fieldmesh/sandbox";
import { expect, test, vi } from "vitest";
import { deviceCommands } from "../../src/fleet/device-commands.ts";
import { run } from "../../src/fleet/follow-device.ts";
import { exitCodes } from "../../src/exit-codes.ts";
import { runCommand, testContext, type TestContextOptions } from "../context.ts";
import { APP_EUI, errorOf, eui, keyOf } from "./fleet-context.ts";

const MINUTE = 60_000;

/** Starts a console with a device that has joined and sent two uplinks. */
async function start() {
  const sandbox = createSandbox({ seed: 1, console: { data: "empty", records: "full" } });
  const { devices } = await testContext({ sandbox }).client("console");
  const fields = { name: "Tank", dev_eui: eui(1), app_eui: APP_EUI, app_key: keyOf(1) };
  const { id } = await devices.create(fields);
  await sandbox.clock.advance(20 * MINUTE);
  /** Follows the device until so many lines are printed. Ctrl-C then ends the command. */
  async function follow(count: number, options: TestContextOptions, given = {}, device = id) {
    const controller = new AbortController();
    const context = testContext({ sandbox, ...options, signal: controller.signal });
    const ended = runCommand(run, context, given, device);
    await vi.waitFor(() => expect(context.stdout.length).toBeGreaterThanOrEqual(count), 5_000);
    controller.abort();
    await ended;
    return context;
  }
  return { sandbox, follow };
}

test("devices follow prints a line for each event, oldest first, until Ctrl-C, which is no failure", async () => {
  const { follow } = await start();
  const { stdout, stderr } = await follow(4, {});
  expect(stdout).toEqual([
    expect.stringMatching(
      /^2026-11-20T08:0\d:\d\d\.\d{3}Z {2}join_request {2}Join request received$/,
    ),
    expect.stringMatching(/Z {2}join_accept {2}/),
    expect.stringMatching(/Z {2}uplink_\w+ {2}fcnt 0 {2}port 2 {2}8 bytes {2}\w/),
    expect.stringMatching(
      /^2026-11-20T08:1\d:\d\d\.\d{3}Z {2}uplink_\w+ {2}fcnt 1 {2}port 2 {2}8 bytes {2}\w/,
    ),
  ]);
  expect(stderr).toEqual(["Press Ctrl-C to stop it."]);
});

test("with --json it prints a line of JSON for each event, and it finds the device by its dev_eui", async () => {
  const { follow } = await start();
  const { stdout } = await follow(4, { json: true }, {}, `eui-${eui(1).toLowerCase()}`);
  const events = stdout.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.map(({ category }) => category)).toEqual([
    "join_request",
    "join_accept",
    "uplink",
    "uplink",
  ]);
});

test("--from now leaves out the last events, and a note says where events may be lost", async () => {
  const { sandbox, follow } = await start();
  const { fetch } = sandbox.console;
  let looks = 0;
  const counting: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    // More come between the first two looks than the console keeps.
    if (++looks === 1) await sandbox.clock.advance(2_000 * MINUTE);
    return response;
  };
  const console = { ...sandbox.console, fetch: counting };
  const { stdout, stderr } = await follow(
    100,
    { sandbox: { ...sandbox, console } as never },
    { from: "now" },
  );
  expect(stdout).toHaveLength(100);
  expect(stderr[1]).toMatch(
    /^Events may be lost between 2026-11-20T08:1\S+Z and 2026-11-2\dT\S+Z\.$/,
  );
});

test.each([
  ["tank", "Name the device: by its id, a UUID, or by its dev_eui."],
  [eui(9), "There is no device with this dev_eui."],
])("%s is no device", async (device, message) => {
  const { sandbox } = await start();
  const error = await errorOf(runCommand(run, testContext({ sandbox }), {}, device));
  expect(error).toMatchObject({ message, exitCode: exitCodes.usage });
});

test("an outage is said once, and its end too", async () => {
  const { sandbox, follow } = await start();
  sandbox.setFaults([{ on: "devices.events", kind: "status", status: 503, times: 4 }]);
  const { stdout, stderr } = await follow(4, {});
  expect(stdout).toHaveLength(4);
  expect(stderr.slice(1)).toEqual([
    expect.stringMatching(
      /^\S+Z {2}The console does not respond \(status 503\)\. It is asked again for an hour\.$/,
    ),
    expect.stringMatching(/^\S+Z {2}The console responds again, after \d+ s\.$/),
  ]);
}, 30_000);

test("the EUIs of its examples are in the sandbox", async () => {
  const { devices } = createSandbox().console.state;
  const euis = [...devices.values()].map(({ dev_eui }) => dev_eui);
  const command = deviceCommands.find(({ path }) => path === "devices follow");
  for (const { line } of command?.examples ?? [])
    expect(euis).toContain(/\b[\dA-F]{16}\b/.exec(line)?.[0]);
});
