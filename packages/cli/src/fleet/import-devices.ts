import type { Lock } from "@fieldmesh/sandbox/internal";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { confirm } from "../confirm.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { printFirst } from "../output/output.ts";
import { countOf } from "./plan/count-of.ts";
import { AGAIN } from "./csv/damage.ts";
import { writeFixFile } from "./csv/fix-file.ts";
import { groupProblems, type LineProblem } from "./csv/group-problems.ts";
import { checkReadable } from "../files/user-file.ts";
import { openSource, type Source } from "./files/source.ts";
import { planImport, type ImportPlan } from "./import-plan.ts";
import { importRows, importState, type Imported } from "./import-rows.ts";
import { createLabels } from "./label-ids.ts";
import { argument } from "./options.ts";
import { oneRun } from "./runs/one-run.ts";
import { checkSameConsole } from "./runs/which-console.ts";

export async function run(context: Context, input: Input): Promise<void> {
  const source = await openSource(argument(input, 0), context);
  try {
    await checkReadable(source.path);
    const what = "an import writes its state and the rows to fix";
    await oneRun(context, [source.path, source.beside], what, (held, lock) =>
      importFile(held, input, source, lock),
    );
  } finally {
    // An unfinished run of a stream resumes from the copy.
    if (!importState(context, source).exists()) await source.discard();
  }
}

async function importFile(
  context: Context,
  input: Input,
  source: Source,
  lock: Lock,
): Promise<void> {
  const state = importState(context, source, lock);
  const earlier = await state.read();
  if (earlier !== undefined) await checkSameConsole(context, state.path, earlier.console);
  const plan = await planImport(context, input, source);
  const { lines, bad, newLabels } = plan;
  const lineOf = (index: number): number => lines[index] ?? 0;
  await showProblems(
    context,
    inOrder(bad).flatMap(([index, problems]) =>
      problems.map((problem) => ({ line: lineOf(index), problem })),
    ),
  );
  if (bad.size > 0 && input.options["strict"] === true)
    throw new CliError(
      `${bad.size} of ${countOf(lines.length, "row")} cannot be imported, so nothing was. ${correctionOf(bad.size, source)}, or leave out --strict.`,
    );
  if (bad.size < lines.length) await confirm(context, questionOf(plan));
  const labels =
    newLabels.length === 0 ? plan.labels : await createLabels(context, input, newLabels);
  const imported = await importRows(context, input, { ...plan, labels }, source, lock);
  await showProblems(
    context,
    inOrder(imported.failures).map(([index, problem]) => ({ line: lineOf(index), problem })),
  );
  lock.check();
  await report(context, plan, imported, source);
}

function showProblems({ output }: Context, problems: readonly LineProblem[]): Promise<void> {
  return printFirst((line) => output.note(line), groupProblems(problems), "other problems");
}

function inOrder<Value>(rows: ReadonlyMap<number, Value>): [index: number, value: Value][] {
  return [...rows].toSorted(([a], [b]) => a - b);
}

/** Such as `Create 2 devices, leave out 3 rows?` */
function questionOf({ lines, bad, newLabels }: ImportPlan): string {
  const created = [
    ...(newLabels.length > 0 ? [countOf(newLabels.length, "label")] : []),
    countOf(lines.length - bad.size, "device"),
  ];
  const left = bad.size > 0 ? `, leave out ${countOf(bad.size, "row")}` : "";
  return `Create ${created.join(" and ")}${left}?`;
}

async function report(
  context: Context,
  { sheet, lines, bad }: ImportPlan,
  { numbers, failures }: Imported,
  source: Source,
): Promise<void> {
  const { output, isTrial } = context;
  const toFix = new Map(failures);
  for (const [index, problems] of bad) toFix.set(index, problems.join("; "));
  const file =
    toFix.size > 0 && !isTrial ? await writeFixFile(sheet, toFix, source.beside) : undefined;
  importState(context, source).remove();
  // The sentence below names the file for a person.
  const named = output.isJson && file !== undefined && { to_fix: file };
  await output.record({ ...numbers, ...named });
  if (toFix.size === 0) return;
  const has = (part: string): boolean =>
    [...toFix.values()].some((problem) => problem.includes(part));
  const sentences = [
    `${toFix.size} of ${countOf(lines.length, "row")} ${toFix.size === 1 ? "was" : "were"} not imported.`,
    file === undefined
      ? `${correctionOf(toFix.size, source)}. This was a trial, which writes no file.`
      : `Correct ${toFix.size === 1 ? "it" : "them"} in ${file}, which holds the keys, and import that file with --if-exists skip.`,
    ...(file !== undefined && has("--euis as-written") ? [KEPT] : []),
    ...(has(AGAIN) ? [EXPORT_AGAIN] : []),
  ];
  throw new CliError(
    sentences.join(" "),
    numbers.unknown > 0 ? exitCodes.unknown : exitCodes.failed,
  );
}

/** Says where rows are corrected in the absence of a file for them. */
function correctionOf(count: number, { shown, isCopy }: Source): string {
  const [them, their] = count === 1 ? ["it", "its"] : ["them", "their"];
  return `Correct ${them} ${isCopy ? `at ${their} source` : `in ${shown}`}`;
}

/** The first file also has the devices that are created by now. */
const KEPT = "Also add --euis as-written there if its EUIs are right.";
const EXPORT_AGAIN =
  "Lost digits cannot be corrected there: import the new export of these rows with --if-exists skip.";
