import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { eventTypes } from "../src/index.ts";

// Workers and strict content security policies forbid eval, which compiles schemas.

test("without eval, every type is still parsed, and malformed input is rejected", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-no-eval-"));
  try {
    const program = join(folder, "program.mjs");
    await build({
      stdin: {
        contents: `
          import { eventTypes } from "../src/index.ts";
          import { EventParseError, parseEvent } from "../src/parse/index.ts";
          import { sampleEvent } from "../src/samples.ts";
          let hasEval = true;
          try { new Function("return 1")(); } catch { hasEval = false; }
          let refused = 0;
          for (const type of eventTypes) {
            const event = sampleEvent(type);
            try { parseEvent({ ...event, data: undefined }); } catch (error) { if (error instanceof EventParseError) refused += 1; }
          }
          console.log(JSON.stringify({ hasEval, parsed: eventTypes.length, refused }));`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      format: "esm",
      target: "es2023",
      platform: "node",
      outfile: program,
    });
    const flag = "--disallow-code-generation-from-strings";
    const { stdout } = await promisify(execFile)(process.execPath, [flag, program]);
    expect(JSON.parse(stdout)).toEqual({
      hasEval: false,
      parsed: eventTypes.length,
      refused: eventTypes.length,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
