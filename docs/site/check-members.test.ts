import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, expect, test } from "vitest";
import { checkMembers } from "./check-members.ts";

const folder = mkdtempSync(join(tmpdir(), "members-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SOURCE = `
interface Base { minWait?: number; other: string }
export interface Options extends Pick<Base, "minWait"> { "sim.activated": string; old(): void }
export class Run {
  #hidden = 1;
  private secret = this.#hidden;
  protected inner = this.secret;
  /** @internal */
  counted = this.inner;
  stop(): void {}
}
type Pick<T, K extends keyof T> = { [P in K]: T[P] };`;

/** Checks pages with these texts, by the name of their type. */
function check(pages: Readonly<Record<string, string>>): string {
  const file = join(folder, "packages", "index.ts");
  mkdirSync(join(folder, "packages"), { recursive: true });
  writeFileSync(file, SOURCE);
  const out = mkdtempSync(join(folder, "pages-"));
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(out, `${name}.md`), text);
  const program = ts.createProgram([file], { noLib: true, target: ts.ScriptTarget.ESNext });
  try {
    checkMembers(program, new Map([[file, { name: "@fieldmesh/x" }]]), out);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

const Options =
  '| <a id="property-minwait"></a> `minWait?` | `number` |\n| `sim.activated` | `string` |';
const Run = "### stop()\n";

test("accepts members in tables and as headings, also deprecated ones, and no one needs what is hidden", () => {
  expect(check({ Options: `${Options}\n### ~~old()~~\n`, Run })).toBe("");
});

test("a member that is on no page is an error that names it and says what to do", () => {
  const message = check({ Options, Run: "" });
  expect(message).toContain("  Options.old of @fieldmesh/x\n  Run.stop of @fieldmesh/x\n");
  expect(message).not.toContain("minWait");
  expect(message).toContain("Write the type as an interface that extends");
});

test("an inherited member counts, also from a base that is not exported", () => {
  expect(check({ Options: "### old()\n", Run })).toContain("  Options.minWait of @fieldmesh/x");
});
