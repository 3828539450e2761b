import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Files, writeFiles } from "./files.ts";
import { root } from "./packages.ts";

interface Generator {
  /** What it writes, for the lists of `npm run generate`. */
  readonly writes: string;
  /** Makes files, by their paths from the root. Loads its sources when it is called, because an earlier generator may write them. Returns no file if its source is missing. */
  readonly files: () => Files | Promise<Files>;
  /** Folders that hold nothing else. */
  readonly folders?: readonly string[];
}

/** What is generated and checked in, in this order: later ones read what earlier ones write. A test makes all of them and compares. */
export const GENERATORS: Readonly<Record<string, Generator>> = {
  events: {
    writes: "the lists and interfaces of event types",
    files: async () =>
      (await import("../packages/webhook-types/tools/generate-events.ts")).generateEvents(),
    folders: [
      "packages/webhook-types/src/events/generated",
      "packages/webhook-types/src/events/samples/generated",
    ],
  },
  views: {
    writes: "the SQL of the views of a mirror",
    files: async () => (await import("../packages/mirror/tools/make-views.ts")).generateViews(),
    folders: ["packages/mirror/views"],
  },
  counts: {
    writes: "the numbers in the READMEs",
    files: async () => (await import("../docs/site/counts.ts")).withCounts(),
  },
  facts: {
    writes: "the facts of the page for evaluators",
    files: async () => (await import("../docs/site/facts.ts")).withFacts(),
  },
  spec: {
    writes:
      "the statements of the published contract and the field notes, if they are beside this checkout",
    files: async () => (await import("../packages/sandbox/test/spec/read-spec.ts")).specNames(),
  },
  commands: {
    writes: "the commands of the endpoints",
    files: async () => (await import("../docs/documents/commands.ts")).generateCommands(),
  },
  switches: {
    writes: "the switches of the sandbox, for its program, its page and the guide",
    files: async () => (await import("./switches/read-switches.ts")).generateSwitches(),
    folders: ["packages/sandbox/src/generated"],
  },
  comparison: {
    writes: "the tables of the measurements in the pages",
    files: async () => (await import("../docs/site/comparison.ts")).withTables(),
  },
  waits: {
    writes: "the table of all waits in the decision about them",
    files: async () => (await import("../gauntlet/hanging-parts/index.ts")).withWaits(),
  },
};

/** Returns the paths of the files that a generator would change or remove. */
export function staleFiles(generated: Files, folders: readonly string[] = []): string[] {
  const written = folders.flatMap(filesIn);
  const changed = [...generated.keys()].filter((path) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, "utf8") !== generated.get(path);
  });
  return [...changed, ...written.filter((path) => !generated.has(path))];
}

/** Writes what a generator makes, and removes what it does not make any more. */
export async function write({ files, folders = [] }: Generator): Promise<void> {
  const generated = await files();
  for (const folder of folders) rmSync(join(root, folder), { recursive: true, force: true });
  writeFiles(generated, root);
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(root.length + 1)
        .replaceAll("\\", "/"),
    );
}
