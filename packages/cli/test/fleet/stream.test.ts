import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ProgramUser, startUser } from "../user.ts";
import { APP_EUI, eui, keyOf } from "./fleet-context.ts";

let user: ProgramUser;
beforeAll(async () => {
  user = await startUser();
});
afterAll(() => user.close());

const HEADER = "dev_eui,app_eui,app_key\n";
const row = (index: number): string => `${eui(index)},${APP_EUI},${keyOf(index)}\n`;
const within = (line: string) =>
  user.bash(`cd ${user.folder}; export TMPDIR=${user.temporary}; ${line}`);

test("imports what it reads from standard input or another stream, and leaves no copy", async () => {
  writeFileSync(join(user.folder, "good.csv"), HEADER + row(1));
  for (const line of [
    "cat good.csv | fieldmesh devices import - --sandbox --json",
    "fieldmesh devices import /dev/stdin --sandbox --json < good.csv",
    "fieldmesh devices import <(cat good.csv) --sandbox --json",
  ]) {
    const { code, stdout } = await within(line);
    expect([line, code, JSON.parse(stdout)]).toEqual([
      line,
      0,
      { created: 1, skipped: 0, failed: 0, unknown: 0, unsettled: 0 },
    ]);
  }
  expect(readdirSync(user.temporary)).toEqual([]);
});

test("rows of standard input that are left out are in a file of the current folder", async () => {
  writeFileSync(join(user.folder, "bad.csv"), `${HEADER}${row(1)}1,2,3\n`);
  const { code, stderr } = await within("cat bad.csv | fieldmesh devices import - --yes");
  expect([code, stderr]).toEqual([1, expect.stringContaining("Correct it in stdin.fix.csv,")]);
  const trial = await within("cat bad.csv | fieldmesh devices import - --sandbox");
  expect(trial.stderr).toContain("Correct it at its source. This was a trial");
  const other = await within("echo Site | fieldmesh devices import - --sandbox");
  expect(other.stderr).toContain("stdin has no dev_eui or app_eui or app_key column");
  expect(statSync(join(user.folder, "stdin.fix.csv")).mode & 0o777).toBe(0o600);
  expect(readdirSync(user.temporary)).toEqual([]);
});

test("an import of standard input that ends early resumes from its copy, which has mode 0600", async () => {
  writeFileSync(join(user.folder, "new.csv"), HEADER + row(7) + row(8));
  user.sandbox.setFaults([{ on: "devices.createBatch", kind: "status", status: 401 }]);
  const first = await within("cat new.csv | fieldmesh devices import - --yes");
  expect(first.code).toBe(1);
  const [, copy = ""] = /The rows are in (\S+): import that file/.exec(first.stderr)!;
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(statSync(`${copy}.import.json`).mode & 0o777).toBe(0o600);
  const second = await within(`fieldmesh devices import ${copy} --yes --json`);
  expect(JSON.parse(second.stdout)).toMatchObject({ created: 2, failed: 0 });
});
