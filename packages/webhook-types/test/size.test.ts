import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

// What a bundler makes of an import. Sizes do not depend on the machine.

const KB = 1000;
const all = ["", "/parse"].map((entry) => `export * from "@fieldmesh/webhook-types${entry}";`);

test.each([
  ["createVerifier alone", 1.5 * KB, 'export { createVerifier } from "@fieldmesh/webhook-types";'],
  ["the root", 5 * KB, all[0]],
  ["the root with schemas", 31 * KB, all.join("\n")],
])("%s bundles to at most %i bytes gzipped", async (_name, limit, contents = "") => {
  for (const platform of ["browser", "node"] as const) {
    const { text, inputs } = await bundle(contents, platform);
    expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(limit);
    if (limit <= 5 * KB) expect(inputs.filter((path) => /zod|\/ky\//.test(path))).toEqual([]);
    expect(text.includes("node:crypto")).toBe(platform === "node");
  }
});

async function bundle(contents: string, platform: "browser" | "node") {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2022",
    platform,
    // #mac by the platform's own condition.
    alias: { "#mac": `./src/verify/mac-${platform === "node" ? "node" : "web"}.ts` },
    absWorkingDir: `${import.meta.dirname}/..`,
  });
  return { text: outputFiles[0]?.text ?? "", inputs: Object.keys(metafile.inputs) };
}
