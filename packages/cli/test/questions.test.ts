import { PassThrough, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type RunningSandbox, startSandbox } from "@fieldmesh/sandbox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { main } from "../src/commands/main.ts";
import { createPrompt } from "../src/output/create-prompt.ts";

// On a terminal, with what a user types. `terminal.slow.test.ts` has a real one.

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** A terminal at which somebody types an answer as soon as the question is there. */
function openTerminal(question: string, typed: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let shown = "";
  stderr.setEncoding("utf8").on("data", (part: string) => {
    const isAsked = shown.includes(question);
    shown += part;
    // Nobody types faster than the program begins to read.
    if (!isAsked && shown.includes(question)) setImmediate(() => stdin.write(typed));
  });
  return { stdin, stdout, stderr, shown: () => shown };
}

async function fieldmesh(line: string, question: string, typed: string) {
  const { shown, ...terminal } = openTerminal(question, typed);
  const printed = text(terminal.stdout as Readable);
  const env = { NO_COLOR: "1", CONSOLE_URL: sandbox.console.baseUrl, CONSOLE_KEY: sandbox.apiKey };
  const { signal } = new AbortController();
  const code = await main(line.split(" "), { ...terminal, env }, signal);
  terminal.stdout.end();
  return { code, shown: shown(), printed: await printed };
}

test.for([
  ["y\r", true],
  ["Yes\r", true],
  ["\r", false],
  ["yesterday\r", false],
] as const)("the answer %j to a question writes: %s", async ([typed, writes]) => {
  const name = `Pumps-${typed.trim()}`;
  const before = sandbox.log.requests("labels.create").length;
  const question = `Create a label (name: ${name})? [y/N] `;
  const { code, shown } = await fieldmesh(`labels create --name ${name}`, question, typed);
  expect(code).toBe(writes ? 0 : 1);
  expect(shown.includes("Canceled. Nothing was changed.")).toBe(!writes);
  expect(sandbox.log.requests("labels.create").length - before).toBe(writes ? 1 : 0);
});

test("a question names an id once, and the message of the console is shown", async () => {
  const [id = ""] = [...sandbox.console.state.labels.keys()].slice(-1);
  for (const line of [`console labels delete ${id}`, `console labels delete --id ${id}`]) {
    // On a terminal of 80 columns, it breaks between words.
    const asked = `Delete a label with all its links to devices (labelId: ${id})? [y/N] `;
    const { code, shown, printed } = await fieldmesh(line, "[y/N] ", "y\r");
    expect(shown.replaceAll("\n", " ")).toContain(asked);
    expect([code, printed]).toEqual(
      line.includes("--id") ? [1, ""] : [0, expect.not.stringContaining("[undeclared]")],
    );
  }
});

test("the end of the input is no answer", async () => {
  const { code, shown } = await fieldmesh("labels create --name Pumps", "[y/N] ", "\u0004");
  expect([code, shown]).toEqual([
    1,
    expect.stringContaining("The question was not answered. Nothing was changed."),
  ]);
});

test("--yes and --sandbox ask nothing, and a sandbox of its own gets what is written", async () => {
  const before = sandbox.log.count;
  const own = await fieldmesh("labels create --name Pumps --sandbox", "[y/N] ", "");
  expect([own.code, own.shown]).toEqual([0, "Console  a sandbox of this command  (--sandbox)\n"]);
  expect(own.printed).toMatch(/^id +\S+\nname +Pumps\n/);
  expect(sandbox.log.count).toBe(before);
  const yes = await fieldmesh("labels create --name Tanks --yes", "[y/N] ", "");
  expect([yes.code, yes.shown]).toEqual([
    0,
    `Console  ${sandbox.console.baseUrl}  (CONSOLE_URL)\n`,
  ]);
});

test("a secret is read without being shown, and the next question has its own answer", async () => {
  const { shown, ...terminal } = openTerminal("Key: ", "typed-by-hand\r");
  const prompt = createPrompt(terminal, new AbortController().signal);
  expect(await prompt.secret("Key", "add --key-stdin")).toBe("typed-by-hand");
  expect(shown()).toBe("Key: \n");
});

test("without a terminal, a question is an error that names the option instead", async () => {
  const stdin = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const prompt = createPrompt({ stdin, stderr }, new AbortController().signal);
  expect(prompt.isTerminal).toBe(false);
  await expect(prompt.confirm("Delete?")).rejects.toThrow("Add --yes to run it without asking.");
  await expect(prompt.secret("Key", "add --key-stdin")).rejects.toThrow(": add --key-stdin.");
});
