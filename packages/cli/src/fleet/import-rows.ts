import type { BulkCheckpoint, NewDevice } from "@fieldmesh/console-client";
import { type Lock, stateFile, type StateFile } from "@fieldmesh/sandbox/internal";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { inWordsOfAShell } from "../shell-words.ts";
import type { DeviceRow } from "./csv/device-rows.ts";
import type { Failure } from "./csv/fix-file.ts";
import type { Source } from "./files/source.ts";
import type { ImportPlan } from "./import-plan.ts";
import type { LabelIds } from "./label-ids.ts";
import { settleTimeOf, textOption } from "./options.ts";
import { runBulk } from "./run-bulk.ts";
import { whichConsole, type WhichConsole } from "./which-console.ts";

/** What must survive a kill. It contains no key. */
interface State {
  readonly console: WhichConsole;
  readonly checkpoint?: BulkCheckpoint;
  readonly failures: Failure[];
}

export interface Imported {
  readonly numbers: { created: number; skipped: number; failed: number; unknown: number };
  /** The rows that the console rejected, or whose result is unknown. */
  readonly failures: readonly Failure[];
}

/** Opens the state of an import, which is next to its file. */
export function importState({ path }: Source, lock?: Lock): StateFile<State> {
  return stateFile<State>(`${path}.import.json`, { kind: "devices import", lock });
}

/** Creates the devices of the good rows. A row that the console rejects does not stop the others. */
export async function importRows(
  context: Context,
  input: Input,
  { rows, good, labels }: ImportPlan,
  source: Source,
  lock: Lock,
): Promise<Imported> {
  const client = await context.client("console");
  const state = importState(source, lock);
  const { console, checkpoint, failures }: State = (await state.read()) ?? {
    console: await whichConsole(context),
    failures: [],
  };
  const sent = good.flatMap((index) => rows[index] ?? []);
  // From here on, the copy of a stream is kept until the run is complete.
  if (source.isCopy) await state.write({ console, failures });
  if (checkpoint !== undefined) context.output.note(`Resuming from ${state.path}.`);
  const ifExists = textOption(input, "ifExists") === "skip" ? ("skip" as const) : undefined;
  const { created, skipped, failed, unknown } = await runBulk(context, {
    what: "Importing devices",
    total: sent.length,
    stateFile: state.path,
    resume: source.isCopy
      ? `The rows are in ${source.path}: import that file with the same options to resume.`
      : undefined,
    start: async (options) => {
      const creation = client.devices.createMany(
        sent.map((row) => withLabels(row, labels)),
        {
          ...options,
          ifExists,
          settleTime: settleTimeOf(input),
          checkpoint,
          onCheckpoint: (next) => state.write({ console, checkpoint: next, failures }),
        },
      );
      for await (const result of creation) {
        const index = good[result.index];
        if (!("error" in result) || index === undefined) continue;
        // A resumed run yields the failures of earlier runs, but not more than 1,000 of them.
        if (failures.every((known) => known.index !== index))
          failures.push({ index, problem: inWordsOfAShell(result.error) });
      }
      return await creation.report();
    },
  });
  return { numbers: { created, skipped, failed, unknown }, failures };
}

function withLabels({ device, labels }: DeviceRow, { idOf }: LabelIds): NewDevice {
  if (labels.length === 0) return device;
  // All of them exist. If one is deleted now, the client rejects its row.
  return { ...device, label_ids: labels.map((name) => idOf(name) ?? name) };
}
