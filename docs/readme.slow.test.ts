import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startSandbox } from "@fieldmesh/sandbox";
import { exec } from "../tools/exec.ts";
import { root } from "../tools/packages.ts";

const project = mkdtempSync(join(tmpdir(), "fieldmesh-packed-"));
afterAll(() => rmSync(project, { recursive: true, force: true }));

test("the README's pack command prints an install that works, and its sample prints what it says", async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, name = ""] = /npm run release -- pack (\S+)`/.exec(readme) ?? ["", "console-client"];
  const printed = await exec("node", ["tools/release/pack.ts", name]);
  const command = /^npm install .*$/m.exec(printed)?.[0] ?? "";
  writeFileSync(join(project, "package.json"), "{}");
  await exec("sh", ["-c", `${command} --prefer-offline --no-audit --no-fund`], { cwd: project });

  const [, sample = "", output = ""] = /```ts\n(.*?)```\n\n```text output\n(.*?)```/s.exec(readme)!;
  writeFileSync(join(project, "sample.mts"), sample);
  const sandbox = await startSandbox();
  try {
    const env = { CONSOLE_URL: sandbox.console.baseUrl, CONSOLE_KEY: sandbox.apiKey };
    const ran = await exec("node", ["sample.mts"], { cwd: project, env });
    expect(withoutIds(ran)).toBe(withoutIds(output));
  } finally {
    await sandbox.close();
  }
});

/** The ids of a sandbox are random. */
function withoutIds(text: string): string {
  return text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "id");
}
