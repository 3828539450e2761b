import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "../../tools/packages.ts";
import { type Break, breaks } from "./breaks.ts";

// What the gauntlet needs of the checkout. Nothing in it is built.
const NEEDED = ["packages", "gauntlet", "tools", "docs/project", "package.json"];
const LEFT_OUT = new Set(["dist", ".cache", "coverage"]);
const MINUTES = 60_000;
const LONGEST = 2 * MINUTES;

const copy = makeCopy();
afterAll(() => copy[Symbol.dispose]());

test.each(breaks)(
  "the gauntlet notices code that “$name” within two minutes",
  { timeout: 3 * MINUTES },
  (each) => {
    const { noticed, printed } = copy.run(each);
    expect({ noticed, printed }).toMatchObject({ noticed: true });
  },
);

/** A copy of the checkout, in which code can be broken. */
interface Copy extends Disposable {
  /** Breaks the code, runs the rows that must fail, and repairs it. Returns what the gauntlet printed about failed rows. */
  readonly run: (broken: Break) => { readonly noticed: boolean; readonly printed: string };
}

/** Copies the sources, and links the installed packages. */
function makeCopy(): Copy {
  const folder = mkdtempSync(join(tmpdir(), "fieldmesh-breaks-"));
  for (const name of NEEDED)
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      // The links between packages are relative, so that they lead into the copy.
      verbatimSymlinks: true,
      filter: (source) => !LEFT_OUT.has(basename(source)),
    });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return {
    run: ({ file, text, instead, rings }) => {
      const path = join(folder, file);
      const right = readFileSync(path, "utf8");
      writeFileSync(
        path,
        right.replace(text, () => instead),
      );
      const { status, stdout } = spawnSync(
        process.execPath,
        [join(folder, "gauntlet", "main.ts"), "--only", rings],
        { encoding: "utf8", timeout: LONGEST, killSignal: "SIGKILL", maxBuffer: Infinity },
      );
      writeFileSync(path, right);
      const failed = stdout.split("\n").filter((line) => line.startsWith("✗ "));
      return { noticed: status === 1 && failed.length > 0, printed: stdout.slice(-2_000) };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
