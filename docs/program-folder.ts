import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { generatePrismaClient } from "./prisma-client.ts";

/** Returns a function that imports a program of a guide as a module. Its folder is removed after the tests of the file. */
export function createProgramFolder(): <Program>(name: string, code: string) => Promise<Program> {
  // Inside docs, so that imports resolve as they do for a user of the packages.
  const folder = mkdtempSync(join(import.meta.dirname, ".samples-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return async <Program>(name: string, code: string) => {
    const file = join(folder, `${name}.ts`);
    writeFileSync(file, code);
    if (code.includes("./generated/")) generatePrismaClient(folder);
    return (await import(file)) as Program;
  };
}
