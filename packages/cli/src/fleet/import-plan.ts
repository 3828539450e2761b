import { getOrInsertComputed } from "@fieldmesh/core/internal";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { countOf } from "./plan/count-of.ts";
import { openDeviceRows, type DeviceRows } from "./csv/device-rows.ts";
import { sayLines } from "./csv/group-problems.ts";
import { isHexadecimal, isId } from "./csv/cells.ts";
import { createDoubts, type Decisions } from "./csv/doubts.ts";
import { createMisplaced } from "./csv/misplaced.ts";
import { createRowNotes } from "./csv/row-notes.ts";
import { createRounding } from "./csv/rounded.ts";
import { conflictWith, createTwinFinder, duplicateOf } from "./csv/same-devices.ts";
import { openSheet } from "./csv/sheet.ts";
import { readDecided } from "./decide.ts";
import type { Source } from "./files/source.ts";
import { noLabel, readLabels, type LabelIds } from "./label-ids.ts";
import { listOption, textOption } from "./options.ts";

/** What an import is going to do. So far, it has written nothing. */
export interface ImportPlan extends DeviceRows {
  /** The line of each row. */
  readonly lines: readonly number[];
  /** The rows that are left out, with all their problems. */
  readonly bad: ReadonlyMap<number, readonly string[]>;
  readonly labels: LabelIds;
  /** The labels to create. A label is not created for a row that is left out. */
  readonly newLabels: readonly string[];
}

const SHOWN_LABELS = 10;

/** Reads the file and the labels of the console. Throws a CliError for what stops the whole import. */
export async function planImport(
  context: Context,
  input: Input,
  source: Source,
): Promise<ImportPlan> {
  const typed = listOption(input, "label");
  const { devices, lines, bad, labelled, notes } = await readDecided(
    context,
    input,
    async (decisions) => {
      const opened = await openSheet(source.path, source.shown, decisions.map);
      const read = await openDeviceRows(opened, {
        ...decisions,
        appEui: textOption(input, "appEui"),
        labels: typed,
        observedRules: context.observedRules,
      });
      return { devices: read, ...(await checkRows(read, context, decisions)) };
    },
  );
  for (const note of [...devices.notes(), ...notes]) context.output.note(note);
  if (lines.length === 0)
    throw new CliError(`${devices.sheet.file} has no devices below its header.`);
  const labels = await readLabels(context, [...labelled.keys()]);
  const unknown = [...labelled].filter(([name]) => labels.idOf(name) === undefined);
  const missing = unknown.flatMap(([name, rows]) => {
    const good = rows.filter((index) => !bad.has(index)).map((index) => lines[index] ?? 0);
    return good.length === 0 ? [] : [{ name, lines: good }];
  });
  const foreign = missing.filter(({ name }) => isId(name));
  if (foreign.length > 0) throw foreignLabels(foreign.flatMap((each) => each.lines));
  const creates = input.options["createLabels"] === true;
  if (missing.length > 0 && !creates) throw missingLabels(labels, missing, typed);
  for (const [name, rows] of creates ? [] : unknown)
    for (const index of rows) bad.get(index)?.push(noLabel(labels, name, true));
  const newLabels = missing.map(({ name }) => name);
  return { ...devices, lines, bad, labels, newLabels };
}

function foreignLabels(lines: readonly number[]): CliError {
  return new CliError(
    `The label IDs in ${sayLines([...new Set(lines)])} are of another console, or the labels were deleted. Nothing was imported. Replace the column label_id by a column labels with the names of the labels.`,
  );
}

/** Reads all rows, and keeps what is wrong with them. */
async function checkRows(
  { sheet, columns, rows, problemsOf }: DeviceRows,
  { observedRules, signal }: Context,
  decisions: Decisions,
) {
  const lines: number[] = [];
  const bad = new Map<number, string[]>();
  /** The rows of each label, by its name. */
  const labelled = new Map<string, number[]>();
  const twinOf = createTwinFinder(observedRules);
  /** The line of another device with the same dev_eui. Which of the two is right, only the user knows. */
  const conflicts = new Map<number, number>();
  const rounding = createRounding(decisions);
  const misplaced = createMisplaced(decisions);
  const doubts = createDoubts(sheet, columns, decisions);
  const rowNotes = createRowNotes(sheet, columns);
  for await (const row of rows()) {
    signal.throwIfAborted();
    const index = lines.push(row.line) - 1;
    for (const name of row.labels) getOrInsertComputed(labelled, name, () => []).push(index);
    const problems = problemsOf(row);
    const twin = twinOf(row, index);
    if (twin !== undefined) {
      const line = lines[twin.index] ?? 0;
      if (twin.isEqual) problems.push(duplicateOf(line));
      else {
        conflicts.set(index, line);
        if (!conflicts.has(twin.index)) conflicts.set(twin.index, row.line);
      }
    }
    const seen = { ...row, ...row.device };
    rounding.add(seen, index);
    misplaced.add(row.device, index);
    doubts.add(seen);
    rowNotes.add(row, problems.length === 0);
    if (problems.length > 0) bad.set(index, problems);
  }
  const rounded = rounding.problems((index) => conflicts.has(index));
  const addTo = (index: number, problems: readonly string[]): unknown =>
    getOrInsertComputed(bad, index, () => []).push(...problems);
  for (const [index, problems] of rounded) addTo(index, problems);
  for (const [index, problem] of misplaced.problems(lines))
    if (!rounded.has(index)) addTo(index, [problem]);
  for (const [index, line] of conflicts)
    if (!rounded.has(index)) addTo(index, [conflictWith(line)]);
  return { lines, bad, labelled, doubts: doubts.all(), notes: rowNotes.notes() };
}

/** One problem for all rows, because one option or one correction fixes it. */
function missingLabels(
  { nearestTo }: LabelIds,
  missing: readonly { readonly name: string; readonly lines: readonly number[] }[],
  typed: readonly string[],
): CliError {
  const shown = missing.slice(0, SHOWN_LABELS).map(({ name, lines }) => {
    const where = sayLines(lines);
    const meant = nearestTo(name);
    const guess = meant === undefined ? "" : ` (did you mean ${JSON.stringify(meant)}?)`;
    const shownName = isShown(name) ? JSON.stringify(name) : "one";
    return `${typed.includes(name) ? "that of --label" : `${shownName} in ${where}`}${guess}`;
  });
  const more = missing.length > SHOWN_LABELS ? [`${missing.length - SHOWN_LABELS} more`] : [];
  const verb = missing.length === 1 ? "does" : "do";
  return new CliError(
    `${countOf(missing.length, "label")} ${verb} not exist: ${[...shown, ...more].join(", ")}. Nothing was imported. Add --create-labels to create what is missing, or correct the file.`,
  );
}

/** A wrong column may hold keys or PINs: a name that has more than three digits, or a sign, is not shown. */
function isShown(name: string): boolean {
  const digits = name.match(/\d/g)?.length ?? 0;
  return WORDS.test(name) && digits <= MOST_DIGITS && !isHexadecimal(name);
}

const WORDS = /^[\p{L}\p{N} _-]{1,40}$/u;
const MOST_DIGITS = 3;
