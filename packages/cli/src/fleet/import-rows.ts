import type { BulkCheckpoint, BulkProgress, NewDevice } from "@fieldmesh/console-client";
import type { Lock, StateFile } from "@fieldmesh/sandbox/internal";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { inWordsOfAShell } from "../shell-words.ts";
import type { DeviceRow } from "./csv/device-rows.ts";
import type { Failures } from "./csv/fix-file.ts";
import type { Source } from "./files/source.ts";
import type { ImportPlan } from "./import-plan.ts";
import type { LabelIds } from "./label-ids.ts";
import { settleTimeOf, textOption } from "./options.ts";
import { stateOf } from "./runs/one-run.ts";
import { runBulk } from "./runs/run-bulk.ts";
import { whichConsole, type WhichConsole } from "./runs/which-console.ts";

/** What must survive a kill. It contains no key. */
interface State {
  readonly console: WhichConsole;
  readonly checkpoint?: BulkCheckpoint;
  readonly failures: readonly (readonly [index: number, problem: string])[];
}

/** What became of the rows. Those that were left out have failed. */
export type ImportNumbers = ReturnType<typeof numbersOf>;

export interface Imported {
  readonly numbers: ImportNumbers;
  /** The rows that the console rejected, or whose result is unknown. */
  readonly failures: Failures;
}

/** Opens the state of an import, which is next to its file. */
export function importState(context: Context, { path }: Source, lock?: Lock): StateFile<State> {
  return stateOf<State>(context, `${path}.import.json`, { kind: "devices import", lock });
}

/** Creates the devices of the good rows. A row that the console rejects does not stop the others. */
export async function importRows(
  context: Context,
  input: Input,
  { rows, lines, bad, labels }: ImportPlan,
  source: Source,
  lock: Lock,
): Promise<Imported> {
  const client = await context.client("console");
  const state = importState(context, source, lock);
  const earlier: State = (await state.read()) ?? {
    console: await whichConsole(context),
    failures: [],
  };
  const { console, checkpoint } = earlier;
  const failures = new Map(earlier.failures);
  const write = (next = checkpoint): Promise<void> =>
    state.write({ console, failures: [...failures], ...(next && { checkpoint: next }) });
  // From here on, the copy of a stream is kept until the run is complete.
  if (source.isCopy) await write();
  if (checkpoint !== undefined) context.output.note(`Resuming from ${state.path}.`);
  /** The rows that were read so far, by their places among those that are sent. */
  const sent: number[] = [];
  async function* devices(): AsyncGenerator<NewDevice> {
    let index = 0;
    for await (const row of rows()) {
      const at = index++;
      if (bad.has(at)) continue;
      sent.push(at);
      yield withLabels(row, labels);
    }
  }
  const total = lines.length - bad.size;
  // The length is for the progress and the size of a request.
  const inputs = { length: total, [Symbol.asyncIterator]: devices };
  const ifExists = textOption(input, "ifExists") === "skip" ? ("skip" as const) : undefined;
  const report = await runBulk(context, {
    what: "Importing devices",
    total,
    stateFile: state.path,
    resume: source.isCopy
      ? `The rows are in ${source.path}: import that file with the same options to resume.`
      : undefined,
    record: (progress: BulkProgress) => context.output.record(numbersOf(progress, bad.size)),
    start: async (options) => {
      const creation = client.devices.createMany(inputs, {
        ...options,
        ifExists,
        settleTime: settleTimeOf(input),
        checkpoint,
        onCheckpoint: write,
      });
      for await (const result of creation) {
        const index = sent[result.index];
        if (!("error" in result) || index === undefined || failures.has(index)) continue;
        // A resumed run yields the failures of earlier runs, but not more than 1,000 of them.
        failures.set(index, inWordsOfAShell(result.error));
      }
      return await creation.report();
    },
  });
  return { numbers: numbersOf(report, bad.size), failures };
}

function numbersOf(
  { created, skipped, failed, unknown, unsettled }: BulkProgress,
  leftOut: number,
) {
  return { created, skipped, failed: failed + leftOut, unknown, unsettled };
}

function withLabels({ device, labels }: DeviceRow, { idOf }: LabelIds): NewDevice {
  if (labels.length === 0) return device;
  // All of them exist. If one is deleted now, the client rejects its row.
  return { ...device, label_ids: labels.map((name) => idOf(name) ?? name) };
}
