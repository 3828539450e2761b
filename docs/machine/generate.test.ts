import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS_FILE } from "./commands.ts";
import { folders, publicFolder, root } from "./folders.ts";
import { generate } from "./generate.ts";

// A compiler that reads all packages takes its time where others use the machine too.
const MINUTE = 60_000;

test(
  "what is checked in is what the tables say; if not, run `npm run generate -- openapi`",
  () => {
    const { kept: generated, commands } = generate();
    const written = folders.flatMap((folder) =>
      readdirSync(join(publicFolder, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name)),
    );
    const paths = written.map((path) => path.slice(publicFolder.length + 1).replaceAll("\\", "/"));
    expect(paths.sort()).toEqual([...generated.keys()].sort());
    const stale = paths.filter(
      (path) => readFileSync(join(publicFolder, path), "utf8") !== generated.get(path),
    );
    expect(stale).toEqual([]);
    expect(readFileSync(join(root, COMMANDS_FILE), "utf8")).toBe(commands);
  },
  MINUTE,
);
