import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { countOf } from "./count-of.ts";
import { readDeviceRows, type DeviceRow } from "./csv/device-rows.ts";
import { sayLines } from "./csv/group-problems.ts";
import { readSheet, type Sheet } from "./csv/sheet.ts";
import type { Source } from "./files/source.ts";
import { noLabel, readLabels, type LabelIds } from "./label-ids.ts";
import { listOption, textOption } from "./options.ts";

/** What an import is going to do. So far, it has written nothing. */
export interface ImportPlan {
  readonly sheet: Sheet;
  readonly rows: readonly DeviceRow[];
  /** The rows that are sent, by their positions. */
  readonly good: readonly number[];
  /** The rows that are left out, with all their problems. */
  readonly bad: readonly { readonly index: number; readonly problems: readonly string[] }[];
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
  const { sheet, rows } = readDeviceRows(await readSheet(source.path, source.shown), {
    map: listOption(input, "map"),
    appEui: textOption(input, "appEui"),
    labels: typed,
    observedRules: context.observedRules,
  });
  if (rows.length === 0) throw new CliError(`${sheet.file} has no devices below its header.`);
  const names = (of: readonly DeviceRow[]): string[] => of.flatMap((row) => row.labels);
  const labels = await readLabels(context, names(rows));
  const isMissing = (name: string): boolean => labels.idOf(name) === undefined;
  const creates = input.options["createLabels"] === true;
  const missing = rows
    .filter(isGood)
    .flatMap((row) => row.labels.filter(isMissing).map((name) => ({ name, line: row.line })));
  if (missing.length > 0 && !creates) throw missingLabels(labels, missing, typed);
  const bad = rows.flatMap((row, index) => {
    if (isGood(row)) return [];
    const unknown = creates ? [] : row.labels.filter(isMissing);
    const problems = [...row.problems, ...unknown.map((name) => noLabel(labels, name, true))];
    return [{ index, problems }];
  });
  return {
    sheet,
    rows,
    good: rows.flatMap((row, index) => (isGood(row) ? [index] : [])),
    bad,
    labels,
    newLabels: [...new Set(missing.map(({ name }) => name))],
  };
}

function isGood({ problems }: DeviceRow): boolean {
  return problems.length === 0;
}

/** One problem for all rows, because one option or one correction fixes it. Names the lines, because a wrong column may hold keys. */
function missingLabels(
  { nearestTo }: LabelIds,
  missing: readonly { readonly name: string; readonly line: number }[],
  typed: readonly string[],
): CliError {
  const byName = [...Map.groupBy(missing, ({ name }) => name)];
  const shown = byName.slice(0, SHOWN_LABELS).map(([name, rows]) => {
    const where = sayLines(rows.map(({ line }) => line));
    const meant = nearestTo(name);
    const guess = meant === undefined ? "" : ` (did you mean ${JSON.stringify(meant)}?)`;
    return `${typed.includes(name) ? "that of --label" : `one in ${where}`}${guess}`;
  });
  const more = byName.length > SHOWN_LABELS ? [`${byName.length - SHOWN_LABELS} more`] : [];
  const verb = byName.length === 1 ? "does" : "do";
  return new CliError(
    `${countOf(byName.length, "label")} ${verb} not exist: ${[...shown, ...more].join(", ")}. Nothing was imported. Add --create-labels to create what is missing, or correct the file.`,
  );
}
