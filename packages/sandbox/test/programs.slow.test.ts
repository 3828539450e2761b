import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { environmentOf } from "../src/commands/start/environment.ts";
import { startSandbox } from "../src/index.ts";
import { copyExample } from "./programs.ts";
import { rows } from "../../../tools/testing/services.ts";

const run = promisify(execFile);
/** Inside the package, so that its imports are found. Node strips no types below node_modules. */
const folder = mkdtempSync(join(import.meta.dirname, "programs-"));
afterAll(() => rmSync(folder, { recursive: true }));

const first = rows.filter(
  ({ service }, at) => rows.findIndex((row) => row.service === service) === at,
);

test.for(first)("node runs the program that is copied from $call", async (each) => {
  vi.spyOn(console, "log").mockReturnValue();
  await using sandbox = await startSandbox();
  const { program, values, request } = await copyExample(each, sandbox);
  const file = join(folder, `${each.service.name}.mts`);
  writeFileSync(file, program);
  const env = { ...process.env, ...values, ...environmentOf(sandbox) };
  const { stderr } = await run(process.execPath, [file], { env });
  expect(stderr).toBe("");
  expect(sandbox.log.requests(each.call).at(-1)?.status).toBe(request.status);
});
