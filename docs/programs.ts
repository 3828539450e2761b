import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";

/** Programs of a guide, as they are but for the port, in processes of their own. */
export interface Programs {
  /** Writes the first block below a heading, or that of a tab, to a file, and returns its path. */
  readonly write: (name: string, heading: string, port?: number, tab?: string) => string;
  /** Writes a file beside them, and returns its path. */
  readonly add: (name: string, source: string) => string;
  /** Runs a file until the port responds to anything. `output` returns what it has printed so far. */
  readonly start: (
    file: string,
    port: number,
    env?: NodeJS.ProcessEnv,
  ) => Promise<{ readonly child: ChildProcess; readonly output: () => string }>;
  readonly stop: () => void;
  readonly remove: () => void;
}

/** Opens the programs of a page of `guides`. Each file of tests has a folder of its own, by default with the name of the page. */
export function openPrograms(page: string, folderName = page): Programs {
  // Inside docs, so that imports resolve as they do for a user of the packages.
  const folder = join(import.meta.dirname, `.samples-${folderName}`);
  const guide = readFileSync(join(import.meta.dirname, "guides", `${page}.md`), "utf8");
  const children: ChildProcess[] = [];
  mkdirSync(folder, { recursive: true });

  function add(name: string, source: string): string {
    const file = join(folder, `${name}.ts`);
    writeFileSync(file, source);
    return file;
  }

  return {
    add,
    write(name, heading, port = 3_000, tab = "") {
      const [, section = ""] = guide.split(`\n${heading}\n`);
      const block = tab === "" ? "(?: check)?" : ` check \\[${tab}\\]`;
      const [, program = ""] =
        new RegExp(`^\`\`\`ts${block}\\n([^]*?)^\`\`\`$`, "m").exec(section) ?? [];
      if (program === "") throw new Error(`${page}.md has no program below "${heading}"`);
      return add(name, program.replace("3000", String(port)));
    },
    async start(file, port, env = {}) {
      const child = spawn(process.execPath, [file], {
        env: { ...process.env, NODE_OPTIONS: "", ...env },
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.push(child);
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
      await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/`), {
        timeout: 30_000,
        interval: 100,
      });
      return { child, output: () => output };
    },
    stop: () => children.splice(0).forEach((child) => child.kill("SIGKILL")),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
