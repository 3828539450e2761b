import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../src/commands/commands.ts";

// The commands of the rows have a test each in rows.test.ts.

const SANDBOX = "../../sandbox/src/commands";

/** The test file of each command that is written by hand, and how the file calls the command. */
const TESTS: Readonly<Record<string, readonly [file: string, call: string]>> = {
  "devices import": ["fleet/import-devices.test.ts", "runCommand(run,"],
  "devices export": ["fleet/export-devices.test.ts", "runCommand(run,"],
  "devices label": ["fleet/change-devices.test.ts", "call(runLabel,"],
  "devices unlabel": ["fleet/change-devices.test.ts", "call(runUnlabel,"],
  "devices activate": ["fleet/change-devices.test.ts", "call(runActivate,"],
  "devices deactivate": ["fleet/change-devices.test.ts", "call(runDeactivate,"],
  "devices delete": ["fleet/change-devices.test.ts", "call(runDelete,"],
  "fleet export": ["fleet/move-fleet.test.ts", "runExport"],
  "fleet plan": ["fleet/move-fleet.test.ts", "runPlan"],
  "fleet apply": ["fleet/move-fleet.test.ts", "runApply"],
  "fleet verify": ["fleet/move-fleet.test.ts", "runVerify"],
  "fleet convert": ["fleet/convert-fleet.test.ts", 'from "../../src/fleet/convert-fleet.ts"'],
  "ledger export rewards": ["ledger/export.test.ts", 'run("rewards.csv")'],
  "ledger export activity": ["ledger/export.test.ts", 'list: "activity"'],
  "ledger export blocks": ["ledger/export.test.ts", 'list: "blocks"'],
  "ledger verify": ["ledger/folder.test.ts", "runCommand(verify,"],
  "webhooks listen": ["webhooks/program.test.ts", '"webhooks", "listen"'],
  "webhooks trigger": ["webhooks/program.test.ts", '"webhooks", "trigger"'],
  "webhooks send": ["webhooks/webhooks.test.ts", 'run("webhooks send"'],
  "webhooks events": ["webhooks/webhooks.test.ts", 'run("webhooks events"'],
  "webhooks replay": ["webhooks/webhooks.test.ts", 'run("webhooks replay"'],
  "webhooks verify": [`${SANDBOX}/webhooks/saved-delivery.test.ts`, "verify(context,"],
  "webhooks explain": [`${SANDBOX}/webhooks/saved-delivery.test.ts`, "explain(context,"],
  "webhooks undo": [`${SANDBOX}/webhooks/sandbox-commands.test.ts`, "undo(context,"],
  "webhooks record": ["webhooks/webhooks.test.ts", '"webhooks record"'],
  "webhooks catch-up": ["webhooks/webhooks.test.ts", 'run("webhooks catch-up"'],
  sandbox: ["webhooks/program.test.ts", 'start("sandbox"'],
  "profile set": ["settings.test.ts", "runCommand(set,"],
  "profile list": ["settings.test.ts", "runCommand(list,"],
  "profile use": ["settings.test.ts", "runCommand(use,"],
  "profile remove": ["settings.test.ts", "runCommand(remove,"],
  doctor: ["settings.test.ts", "runCommand(doctor,"],
  completion: ["completion.test.ts", "completion"],
};

describe("every command that is written by hand", () => {
  test.each(commands.map(({ path }) => path))("%s has a test file, named here", (path) => {
    const [file = "", call = ""] = TESTS[path] ?? [];
    expect(file, `name the test of "${path}" in every-command.test.ts`).not.toBe("");
    expect(readFileSync(join(import.meta.dirname, file), "utf8")).toContain(call);
  });

  test("is still a command", () => {
    expect(commands.map(({ path }) => path)).toEqual(expect.arrayContaining(Object.keys(TESTS)));
  });
});
