import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProgram } from "./user.ts";
import { type Reply, runInTerminal } from "./terminal.ts";

// Installed as the README says, in a separate home folder.
const home = mkdtempSync(join(tmpdir(), "fieldmesh-completion-"));
const env = {
  PATH: [join(home, "bin"), process.env["PATH"]].join(delimiter),
  HOME: home,
  TERM: "dumb",
  NO_COLOR: "1",
};
beforeAll(async () => {
  const { file } = await buildProgram(join(home, "program"));
  mkdirSync(join(home, "bin"));
  const program = join(home, "bin/fieldmesh");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`);
  chmodSync(program, 0o755);
});
afterAll(() => rmSync(home, { recursive: true }));

const script = (shell: string) =>
  execFileSync(join(home, "bin/fieldmesh"), ["completion", shell], { env });

/** Returns why the test of a shell is skipped, or an empty string. */
function missing(shell: string): string {
  try {
    execFileSync(shell, ["--version"]);
    return "";
  } catch {
    return `: skipped, because ${shell} is not installed`;
  }
}

const why = { bash: missing("bash"), zsh: missing("zsh"), fish: missing("fish") };

const PROMPT = "ready> ";
const LINE = "fieldmesh cons\tlabels cre\t--na\tPumps --sand\t--yes\r";
const typed: readonly Reply[] = [
  [PROMPT, LINE],
  ["Pumps", ""],
  [PROMPT, "fieldmesh profile set x mob\t--url\t nothing --json\r"],
  [PROMPT, "exit\r"],
];

/** The lines run only if each Tab has completed its word. */
async function checkTerminal(shell: string): Promise<void> {
  const { shown } = await runInTerminal([shell, "-i"], typed, env);
  expect(shown).toMatch(/\nname +Pumps\r/);
  expect(shown).toContain('"message":"--url needs an address');
}

test.skipIf(why.bash !== "")(
  `bash completes commands, options and choices${why.bash}`,
  async () => {
    writeFileSync(join(home, ".bashrc"), `PS1="${PROMPT}"\n${script("bash").toString()}`);
    await checkTerminal("bash");
  },
);

test.skipIf(why.zsh !== "")(`zsh completes commands, options and choices${why.zsh}`, async () => {
  mkdirSync(join(home, "functions"));
  writeFileSync(join(home, "functions/_fieldmesh"), script("zsh"));
  const setup = `PS1="${PROMPT}"; unsetopt prompt_sp; fpath=(~/functions $fpath); autoload -U compinit; compinit -u\n`;
  writeFileSync(join(home, ".zshrc"), setup);
  await checkTerminal("zsh");
});

test.skipIf(why.fish !== "")(
  `fish completes commands, options and choices, with their descriptions${why.fish}`,
  () => {
    const completions = join(home, ".config/fish/completions");
    mkdirSync(completions, { recursive: true });
    writeFileSync(join(completions, "fieldmesh.fish"), script("fish"));
    const candidates = (line: string) =>
      execFileSync("fish", ["-c", `complete -C ${JSON.stringify(line)}`], {
        env,
        encoding: "utf8",
      });
    expect(candidates("fieldmesh cons")).toBe("console\tCall the device console\n");
    expect(candidates("fieldmesh console labels cre")).toMatch(/^create\t.+\n$/);
    expect(candidates("fieldmesh console labels create --na")).toMatch(/^--name\t.+\n$/);
    expect(candidates("fieldmesh profile set x mo")).toBe("mobile\n");
    // Without candidates, the shell completes files.
    expect(candidates("fieldmesh devices import pack")).toContain("package.json");
  },
);
