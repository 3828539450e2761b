import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exec } from "../exec.ts";
import { install, tarballs } from "../install.ts";

const PLAN =
  "fleet plan fleet.age --target chirpstack --mapping mapping.json --url http://127.0.0.1:1 --key-file key.txt";
const FILES = Object.values(tarballs).map((file) => file.replace(/^file:/, ""));
const QUIET = ["--no-audit", "--no-fund", "--prefer-offline"];

/** A place where the command line is installed without the packages for ChirpStack. */
interface Place {
  /** Runs the command line. Returns what it prints, also if it fails. */
  readonly fieldmesh: (line: string) => Promise<string>;
  /** Runs the command that the command line has printed. Returns what it prints. */
  readonly run: (command: string) => Promise<string>;
}

const places: Readonly<Record<string, (folder: string) => Promise<Place>>> = {
  async "a project"(folder) {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies: tarballs }));
    await install(folder);
    const fieldmesh = shell(folder, `${folder}/node_modules/.bin:`);
    const run = shell(folder, "");
    return { fieldmesh: (line) => fieldmesh(`fieldmesh ${line}`), run };
  },
  async "a global install"(folder) {
    const env = { npm_config_prefix: join(folder, "global") };
    await exec("npm", ["install", "--global", ...QUIET, ...FILES], { cwd: folder, env });
    const run = shell(folder, `${folder}/global/bin:`, env);
    return { fieldmesh: (line) => run(`fieldmesh ${line}`), run };
  },
  async npx(folder) {
    const env = { npm_config_cache: join(folder, "cache"), npm_config_yes: "true" };
    const run = shell(folder, "", env);
    const ours = FILES.map((file) => `-p ${file}`).join(" ");
    return {
      fieldmesh: (line) => run(`npx ${ours} fieldmesh ${line}`),
      // Before a release, no registry has our packages.
      run: (command) => run(command.replace(/-p @fieldmesh\/cli@\S+/, ours)),
    };
  },
};

test.each(Object.keys(places))(
  "in %s, the command for ChirpStack that is printed installs what is missing",
  { timeout: 5 * 60_000 },
  async (name) => {
    const folder = mkdtempSync(join(tmpdir(), "fieldmesh-chirpstack-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "key.txt"), "a-key\n", { mode: 0o600 });
    writeFileSync(join(folder, "mapping.json"), "{}");
    const { fieldmesh, run } = await places[name]!(folder);
    await fieldmesh("fleet export fleet.age --sandbox");

    const printed = await fieldmesh(PLAN);
    expect(printed).toContain("ChirpStack needs two packages that are not installed");
    const [, command = ""] = /\. Run: (.+)/.exec(printed) ?? [];
    const ran = await run(command);
    // That of npx has run the command line too.
    const again = name === "npx" ? ran : await fieldmesh(PLAN);
    expect(again).toContain("ChirpStack at http://127.0.0.1:1");
    expect(again).not.toContain("ChirpStack needs");
  },
);

/** Returns a function that runs a line in a folder, and returns all that it prints, whether it fails or not. */
function shell(
  folder: string,
  path: string,
  more: Readonly<Record<string, string>> = {},
): (line: string) => Promise<string> {
  const env = {
    ...more,
    FIELDMESH_PASSPHRASE: "for this test",
    FIELDMESH_CONFIG: join(folder, "none.json"),
  };
  const script = `PATH="${path}$PATH"; eval "$1" 2>&1 || true`;
  return (line) => exec("sh", ["-c", script, "sh", line], { cwd: folder, env });
}
