import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

// The same vectors on Bun, Deno and workerd, each as its own bundler condition resolves the package.

const run = promisify(execFile);
const MINUTES = 60_000;
const folder = mkdtempSync(join(tmpdir(), "fieldmesh-compat-"));

beforeAll(async () => {
  copyFileSync(
    join(import.meta.dirname, "../../../compat/package.json"),
    join(folder, "package.json"),
  );
  // Bun and Deno put their binaries in place by an install script.
  const flags = ["install", "--no-audit", "--no-fund", "--ignore-scripts=false"];
  await run("npm", flags, { cwd: folder, shell: process.platform === "win32" });
  for (const mac of ["node", "web"] as const) {
    await bundle(mac, "program", `console.log(JSON.stringify(await failures()));`);
    await bundle(
      mac,
      "worker",
      `export default { fetch: async () => Response.json(await failures()) };`,
    );
  }
  writeFileSync(
    join(folder, "worker-host.mjs"),
    `import { Miniflare } from "miniflare";
     const host = new Miniflare({ modules: true, scriptPath: "worker-web.mjs", compatibilityDate: "2026-01-01" });
     console.log(await (await host.dispatchFetch("http://127.0.0.1/")).text());
     await host.dispose();`,
  );
}, 10 * MINUTES);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bin = (name: string): string => join(folder, "node_modules", ".bin", name);

test.each([
  ["Bun, WebCrypto", bin("bun"), ["program-web.mjs"]],
  ["Bun, node:crypto", bin("bun"), ["program-node.mjs"]],
  ["Deno, WebCrypto", bin("deno"), ["run", "--quiet", "program-web.mjs"]],
  ["Deno, node:crypto", bin("deno"), ["run", "--quiet", "program-node.mjs"]],
  ["workerd, WebCrypto", process.execPath, ["worker-host.mjs"]],
])(
  "%s agrees with every vector",
  async (_name, command, args) => {
    const { stdout } = await run(command, args, { cwd: folder });
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual([]);
  },
  MINUTES,
);

async function bundle(mac: "node" | "web", name: string, program: string): Promise<void> {
  await build({
    stdin: {
      contents: `import { failures } from "./runtime-program.js";\n${program}`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    format: "esm",
    target: "es2023",
    platform: mac === "node" ? "node" : "browser",
    conditions: ["fieldmesh-source"],
    alias: { "#mac": join(import.meta.dirname, `../src/verify/mac-${mac}.ts`) },
    outfile: join(folder, `${name}-${mac}.mjs`),
  });
}
