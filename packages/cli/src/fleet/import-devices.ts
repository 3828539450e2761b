import type { BulkCheckpoint, NewDevice } from "@fieldmesh/console-client";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import { isRecord } from "@fieldmesh/core";
import { readDeviceRows, type DeviceRow } from "./csv/device-rows.ts";
import { writeFixFile, type Failure } from "./csv/fix-file.ts";
import { readSheet } from "./csv/sheet.ts";
import { stateFile, type StateFile } from "./files/state-file.ts";
import { findLabels, type LabelIds } from "./label-ids.ts";
import { argument, listOption, settleTimeOf, textOption } from "./options.ts";
import { runBulk } from "./run-bulk.ts";
import { inWordsOfAShell } from "../shell-words.ts";

/** What must survive a kill. It contains no key. */
interface State {
  readonly checkpoint?: BulkCheckpoint;
  readonly failures: Failure[];
}

const SHOWN_PROBLEMS = 20;

export async function run(context: Context, input: Input): Promise<void> {
  const sheet = await readSheet(argument(input, 0));
  const rows = readDeviceRows(sheet, {
    map: listOption(input, "map"),
    appEui: textOption(input, "appEui"),
    labels: listOption(input, "label"),
    observedRules: context.observedRules,
  });
  if (rows.length === 0) throw new CliError(`${sheet.file} has no devices below its header.`);
  await checkFolder(sheet.file);
  const state = stateFile<State>(`${sheet.file}.import.json`, isState);
  const labels = await findLabels(
    context,
    input,
    rows.flatMap((row) => row.labels),
    {
      mayCreate: true,
      // A label is not created for a row that is not imported.
      needed: rows.flatMap((row) => (row.problems.length === 0 ? row.labels : [])),
    },
  );
  const { numbers, failures } = await importRows(context, input, { rows, labels, state });

  for (const { index, problem } of failures.slice(0, SHOWN_PROBLEMS))
    context.output.note(`line ${rows[index]?.line}: ${problem}`);
  if (failures.length > SHOWN_PROBLEMS)
    context.output.note(`and ${failures.length - SHOWN_PROBLEMS} more`);
  const fixFile = failures.length > 0 ? await writeFixFile(sheet, failures) : undefined;
  await state.remove();
  await context.output.record({ ...numbers, ...(fixFile !== undefined && { to_fix: fixFile }) });
  if (fixFile !== undefined)
    throw new CliError(
      `${failures.length} of ${rows.length} rows were not imported. Correct them in ${fixFile}, which holds their keys, and import that file with --if-exists skip.`,
      numbers.unknown > 0 ? exitCodes.unknown : exitCodes.failed,
    );
}

/** The state of the run and the rows to fix are written next to the file. */
async function checkFolder(file: string): Promise<void> {
  const folder = dirname(file);
  await access(folder, constants.W_OK).catch(() => {
    throw new CliError(
      `${folder} is not writable, and an import writes its state and the rows to fix next to the file. Copy the file to another folder.`,
    );
  });
}

function isState({ checkpoint, failures }: Readonly<Record<string, unknown>>): boolean {
  const isPlace = checkpoint === undefined || isRecord(checkpoint);
  return isPlace && Array.isArray(failures) && failures.every(isFailure);
}

function isFailure(value: unknown): value is Failure {
  return (
    isRecord(value) && typeof value["index"] === "number" && typeof value["problem"] === "string"
  );
}

interface Import {
  readonly rows: readonly DeviceRow[];
  readonly labels: LabelIds;
  readonly state: StateFile<State>;
}

interface Imported {
  readonly numbers: { created: number; skipped: number; failed: number; unknown: number };
  readonly failures: readonly Failure[];
}

async function importRows(
  context: Context,
  input: Input,
  { rows, labels, state }: Import,
): Promise<Imported> {
  const client = await context.client("console");
  const { checkpoint, failures } = (await state.load()) ?? { failures: [] };
  const all = rows.map((row, index) => ({ ...row, index }));
  const sent = all.filter(({ problems }) => problems.length === 0);
  if (checkpoint !== undefined) context.output.note(`Resuming from ${state.path}.`);
  const ifExists = textOption(input, "ifExists") === "skip" ? ("skip" as const) : undefined;
  const { created, skipped, failed, unknown } = await runBulk(context, {
    what: "Importing devices",
    total: sent.length,
    stateFile: state.path,
    start: async (options) => {
      const creation = client.devices.createMany(
        sent.map((row) => withLabels(row, labels)),
        {
          ...options,
          ifExists,
          settleTime: settleTimeOf(input),
          checkpoint,
          onCheckpoint: (next) => state.save({ checkpoint: next, failures }),
        },
      );
      for await (const result of creation) {
        if (!("error" in result)) continue;
        const row = sent[result.index];
        if (row === undefined) continue;
        const missing = labels.problemsOf(row.labels);
        const problem = missing.length > 0 ? sayAll(missing) : inWordsOfAShell(result.error);
        // A resumed run yields the failures of earlier runs, but not more than 1,000 of them.
        if (failures.every(({ index }) => index !== row.index))
          failures.push({ index: row.index, problem });
      }
      return await creation.report();
    },
  });
  const isCreating = input.options["createLabels"] === true;
  const notSent = all
    .filter(({ problems }) => problems.length > 0)
    .map((row) => {
      const missing = isCreating ? [] : labels.problemsOf(row.labels);
      return { index: row.index, problem: sayAll([...row.problems, ...missing]) };
    });
  return {
    numbers: { created, skipped, failed: failed + notSent.length, unknown },
    failures: [...failures, ...notSent].toSorted((a, b) => a.index - b.index),
  };
}

function sayAll(problems: readonly string[]): string {
  return problems.join("; ");
}

/** A label that does not exist becomes an id that the client rejects, so that only its row fails. */
function withLabels({ device, labels }: DeviceRow, { idOf }: LabelIds): NewDevice {
  if (labels.length === 0) return device;
  return { ...device, label_ids: labels.map((name) => idOf(name) ?? "none") };
}
