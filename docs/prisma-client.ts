import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Generates the client of Prisma that a sample imports, beside it, from the schema of its guide. */
export function generatePrismaClient(folder: string): void {
  const page = join(import.meta.dirname, "guides", "keep-a-table-up-to-date.md");
  const [, schema = ""] = /^```prisma\n([^]*?)^```$/m.exec(readFileSync(page, "utf8")) ?? [];
  writeFileSync(join(folder, "schema.prisma"), schema);
  const program = createRequire(import.meta.url).resolve("prisma/build/index.js");
  execFileSync(process.execPath, [program, "generate", "--schema", "schema.prisma"], {
    cwd: folder,
    // Any program: otherwise it downloads one that it does not run. CHECKPOINT_DISABLE: no look for a newer version.
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: "1",
    },
    stdio: "pipe", // what it prints is part of the error if it fails
  });
}
