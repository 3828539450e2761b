import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import { startSandbox } from "@fieldmesh/sandbox";
import { services } from "@fieldmesh/sandbox/services";
import { keyVariable, urlVariable } from "./site/curl.ts";
import type { Sample } from "./samples.ts";

/** The samples as files, and a sandbox that they call. */
export interface SampleRuns {
  readonly fileOf: (name: string) => string;
  /** Runs a sample against a fresh sandbox, and returns what its page shows as its output. */
  readonly run: (name: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Writes the samples to files, inside docs, so that imports resolve as they do for a user of the packages. */
export async function openSamples(samples: readonly Sample[]): Promise<SampleRuns> {
  const folder = join(import.meta.dirname, ".samples");
  const fileOf = (name: string): string => join(folder, `${name}.ts`);
  mkdirSync(folder, { recursive: true });
  for (const { name, code } of samples) writeFileSync(fileOf(name), `${code}\nexport {};\n`);
  // The programs of the frameworks import the first block of their page.
  const receiver = samples.find(({ name }) => name === "frameworks-1");
  writeFileSync(fileOf("receiver"), receiver?.code ?? "");

  const sandbox = await startSandbox({ seed: 1 });
  for (const service of services) {
    const part: { readonly baseUrl: string; readonly apiKey?: string } = sandbox[service.name];
    process.env[urlVariable(service)] = part.baseUrl;
    process.env[keyVariable(service)] = part.apiKey ?? "";
  }
  process.env["WEBHOOK_SECRET"] = "whsec_test";
  process.env["LEDGER_ACCOUNT"] = sandbox.ledger.state.chain.addresses.of(7);

  async function run(name: string): Promise<string> {
    sandbox.reset();
    const lines: string[] = [];
    const methods = ["log", "warn", "error"] as const;
    const print = methods.map((method) => console[method]);
    for (const method of methods)
      console[method] = (...values: unknown[]) => void lines.push(format(...values));
    try {
      await import(fileOf(name));
    } finally {
      methods.forEach((method, index) => (console[method] = print[index]!));
    }
    return shown(lines.join("\n"));
  }

  return {
    fileOf,
    run,
    async close() {
      rmSync(folder, { recursive: true, force: true });
      await sandbox.close();
    },
  };
}

const MOST_LINES = 6;
/** Parts of an output that differ from run to run. A warning that is printed once a minute depends on the samples before. */
const UNSTABLE: readonly (readonly [RegExp, string])[] = [
  [/^.*This is printed once a minute.*\n?/gm, ""],
  [/^ {4}at .*\n?/gm, ""],
  [/(127\.0\.0\.1|localhost):\d+/g, "$1:…"],
  [/'server\.port': \d+/g, "'server.port': …"],
  [/\b\d+ ms\b/g, "… ms"],
  [/\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, "…"],
  [/t=\d+,v1=\w+/g, "t=…,v1=…"],
];

/** Leaves out what differs from run to run, and shortens a long output. */
function shown(output: string): string {
  const stable = UNSTABLE.reduce((text, [part, other]) => text.replace(part, other), output);
  const lines = stable.trimEnd().split("\n");
  const kept = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), "…"] : lines;
  return kept.join("\n");
}
