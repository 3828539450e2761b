import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import { startSandbox } from "@fieldmesh/sandbox";
import { environmentOf } from "./sample-environment.ts";
import { generatePrismaClient } from "./prisma-client.ts";
import { shown, stable } from "./sample-output.ts";
import type { Sample } from "./samples.ts";

/** Samples that others on their page import. */
const IMPORTED: Readonly<Record<string, string>> = {
  receiver: "frameworks-1",
  bullmq: "many-workers-1",
  "pg-boss": "many-workers-4",
};

/** The samples as files, and a sandbox that they call. */
export interface SampleRuns {
  readonly fileOf: (name: string) => string;
  /** Runs a sample against a fresh sandbox, and returns what it prints, without what differs from run to run. */
  readonly print: (name: string) => Promise<string>;
  /** Runs a sample, and returns what its page shows as its output. */
  readonly run: (name: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Writes the samples to files, inside docs, so that imports resolve as they do for a user of the packages. */
export async function openSamples(samples: readonly Sample[]): Promise<SampleRuns> {
  const folder = join(import.meta.dirname, ".samples");
  const fileOf = (name: string): string => join(folder, `${name}.ts`);
  mkdirSync(folder, { recursive: true });
  for (const { name, code } of samples) writeFileSync(fileOf(name), `${code}\nexport {};\n`);
  generatePrismaClient(folder);
  for (const [file, name] of Object.entries(IMPORTED)) {
    const sample = samples.find((each) => each.name === name);
    writeFileSync(fileOf(file), sample?.code ?? "");
  }

  // The metadata of a response, which only hosted ledgers send.
  const sandbox = await startSandbox({ seed: 1, ledger: { records: "full" } });
  Object.assign(process.env, environmentOf(sandbox));

  async function print(name: string): Promise<string> {
    sandbox.reset();
    const lines: string[] = [];
    const methods = ["log", "warn", "error"] as const;
    const originals = methods.map((method) => console[method]);
    for (const method of methods)
      console[method] = (...values: unknown[]) => void lines.push(format(...values));
    try {
      await import(fileOf(name));
    } finally {
      methods.forEach((method, index) => (console[method] = originals[index]!));
    }
    return stable(lines.join("\n"));
  }

  return {
    fileOf,
    print,
    run: async (name) => shown(await print(name)),
    async close() {
      rmSync(folder, { recursive: true, force: true });
      await sandbox.close();
    },
  };
}
