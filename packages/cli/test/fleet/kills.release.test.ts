import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { folder, held, inventory } from "./fleet-context.ts";
import { CONTAINER, filesWithKeys, hasKey, runKilled, startConsole } from "./kills.ts";

const COUNT = 10_000;
const INACTIVE = 500;
/** The kills happen while devices are created, 200 in a request, and then while they are deactivated. */
const KILLS = [1, 2, 3, 4, 2, 3, 1, 4, 3, 2, 5, 3, 30, 30, 30, 30, 30, 30, 30, 30];

test(
  "10,000 devices move despite 10 % faults and 20 kills: 0 lost, 0 duplicated, 0 keys exposed",
  async () => {
    const [from, to] = [await startConsole(), await startConsole()];
    const files = folder();
    const csv = files.write("devices.csv", inventory(COUNT));
    const fleet = files.at("fleet.age");
    const settle = ["--settle-time", "0.2"];

    const imported = await runKilled(
      from,
      ["devices", "import", csv, "--yes", "--create-labels", ...settle],
      {
        killAfter: KILLS.slice(0, 3),
        faultyOne: 10,
      },
    );
    expect(imported).toMatchObject({ code: 0, kills: 3 });
    for (const device of held(from).slice(0, INACTIVE))
      from.console.state.devices.update(device, { active: false });
    const exported = await runKilled(from, ["fleet", "export", fleet]);
    const applied = await runKilled(to, ["fleet", "apply", fleet, "--yes", ...settle], {
      killAfter: KILLS,
      faultyOne: 10,
    });
    expect(applied).toMatchObject({ code: 0, kills: KILLS.length });
    const again = await runKilled(to, ["fleet", "apply", fleet, "--yes"]);
    expect(again).toMatchObject({ code: 0, writes: 0 });
    const verified = await runKilled(to, ["fleet", "verify", fleet]);
    expect(verified).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nNo differences\.\n$/),
    });

    for (const sandbox of [from, to]) {
      const euis = held(sandbox).map(({ dev_eui }) => dev_eui);
      expect([euis.length, new Set(euis).size]).toEqual([COUNT, COUNT]);
      expect(held(sandbox).filter(({ active }) => !active)).toHaveLength(INACTIVE);
    }
    const printed = [imported, exported, applied, again, verified]
      .map((run) => run.printed)
      .join("");
    expect([hasKey(printed), filesWithKeys(files.names().map(files.at))]).toEqual([false, [csv]]);
    expect(files.names()).toEqual(["devices.csv", "fleet.age"]);
    await Promise.all([from.close(), to.close()]);
  },
  30 * 60_000,
);

// with-lock.slow.test.ts of the sandbox has the short form: a container with a wait of seconds.
test("an import whose container is restarted waits for 30 seconds, and duplicates no device", async ({
  skip,
}) => {
  const [command, ...words] = [...CONTAINER, "true"];
  if (spawnSync(command!, words).status !== 0) skip("no permission to create a process namespace");
  const sandbox = await startConsole();
  const csv = folder().write("devices.csv", inventory(300));
  const { code, kills, printed } = await runKilled(
    sandbox,
    ["devices", "import", csv, "--create-labels", "--yes"],
    { killAfter: [2], container: true },
  );
  expect([code, kills]).toEqual([0, 1]);
  expect(printed).toMatch(
    /^Process 1 on .* shows no sign of life\. If it shows none for 30 seconds/m,
  );
  const euis = held(sandbox).map(({ dev_eui }) => dev_eui);
  expect([euis.length, new Set(euis).size]).toEqual([300, 300]);
  await sandbox.close();
}, 120_000);
