import type { Device } from "@fieldmesh/console-client";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { digitsOf, isEui } from "./csv/cells.ts";
import { createDoubts, type Decisions } from "./csv/doubts.ts";
import { sayLines } from "./csv/group-problems.ts";
import { firstFilled, readTable } from "./csv/read-table.ts";
import { createRounding } from "./csv/rounded.ts";
import { euiProblems } from "./csv/row-problems.ts";
import { openSheet } from "./csv/sheet.ts";
import { usualOrder, type Euis } from "./csv/vendors.ts";
import { readDecided } from "./decide.ts";
import { openSource, type Source } from "./files/source.ts";
import { findLabel } from "./label-ids.ts";
import { textOption } from "./options.ts";
import { hasLabel, readDevices } from "./runs/read-devices.ts";

/** The devices that a command changes. */
export interface Selection {
  readonly devices: readonly Device[];
  /** Lines of the file with an EUI that cannot be one, or that several devices share. */
  readonly wrong: readonly string[];
  /** Lines of the file with a valid EUI of no device. */
  readonly missing: readonly string[];
}

/** The EUIs of a line. */
interface Eui extends Euis {
  readonly line: number;
  /** The cells, as the file has them. */
  readonly written: Euis;
  /** What the whole column shows about them. */
  readonly rounded: readonly string[];
}

/** Finds the devices of `--file` or `--label`. */
export async function selectDevices(context: Context, input: Input): Promise<Selection> {
  const [file, label] = [textOption(input, "file"), textOption(input, "label")];
  if ((file === undefined) === (label === undefined))
    throw new CliError("Select the devices: add either --file with their EUIs, or --label.");
  const euis = file === undefined ? [] : await readEuis(context, input, file);
  const label_id = label === undefined ? undefined : await findLabel(context, input, label);
  const client = await context.client("console");
  if (label_id === undefined) {
    const wanted = new Set(euis.map(({ dev_eui }) => dev_eui));
    const isNamed = ({ dev_eui }: Device): boolean => wanted.has(dev_eui.toUpperCase());
    const devices = await readDevices(client, context.signal, isNamed);
    return match(euis, devices, context.observedRules);
  }
  const devices = await readDevices(client, context.signal, hasLabel(label_id));
  return { devices, wrong: [], missing: [] };
}

/** Reads a list of EUIs, one per line, or a CSV file with a column of them. */
async function readEuis(context: Context, input: Input, file: string): Promise<Eui[]> {
  const source = await openSource(file, context);
  try {
    const { euis, notes } = await readDecided(context, input, (decisions) =>
      readRows(source, decisions),
    );
    for (const note of notes) context.output.note(note);
    return euis;
  } finally {
    await source.discard();
  }
}

async function readRows({ path, shown }: Source, decisions: Decisions) {
  const opened = await openSheet(path, shown, decisions.map);
  const { sheet, columns, notes } = await readTable(opened, decisions.map, ["dev_eui"]);
  const rounding = createRounding(decisions);
  const doubts = createDoubts(sheet, columns, decisions);
  const euis: Omit<Eui, "rounded">[] = [];
  for await (const row of sheet.rows()) {
    const written = {
      dev_eui: firstFilled(row, columns.dev_eui),
      app_eui: firstFilled(row, columns.app_eui),
    };
    const digits = {
      dev_eui: digitsOf(written.dev_eui).toUpperCase(),
      app_eui: digitsOf(written.app_eui).toUpperCase(),
    };
    rounding.add(digits, euis.length);
    doubts.add({ ...row, ...digits });
    const usual = decisions.euis === "reversed" && usualOrder(digits);
    euis.push({ line: row.line, ...digits, ...usual, written });
  }
  const rounded = rounding.problems();
  return {
    euis: euis.map((eui, index) => ({ ...eui, rounded: rounded.get(index) ?? [] })),
    doubts: doubts.all(),
    notes: notes(),
  };
}

function match(
  euis: readonly Eui[],
  devices: readonly Device[],
  observedRules: boolean,
): Selection {
  const byEui = Map.groupBy(devices, ({ dev_eui }) => dev_eui.toUpperCase());
  const found = new Set<Device>();
  const [wrong, missing]: [string[], string[]] = [[], []];
  for (const eui of euis) {
    const { dev_eui, app_eui, written, rounded } = eui;
    const where = sayLines([eui.line]);
    const matching = (byEui.get(dev_eui) ?? []).filter(
      (device) => app_eui === "" || device.app_eui.toUpperCase() === app_eui,
    );
    const [device, other] = matching;
    if (rounded.length > 0) wrong.push(`${where}: ${rounded.join("; ")}`);
    else if (device !== undefined && other === undefined) found.add(device);
    else if (other !== undefined)
      wrong.push(
        `${where}: ${matching.length} devices have the dev_eui ${dev_eui}: ${adviceFor(app_eui)}`,
      );
    else {
      const problems = euiProblems(written, observedRules);
      if (problems.length > 0) wrong.push(`${where}: ${problems.join("; ")}`);
      else missing.push(`${where}: there is no device ${printable(dev_eui)}`);
    }
  }
  return { devices: [...found], wrong, missing };
}

function adviceFor(app_eui: string): string {
  return app_eui === "" ? "add a column app_eui" : "change them in the console, by their ids";
}

/** Hides anything but an EUI, because a wrong column may contain keys. */
function printable(dev_eui: string): string {
  return isEui(dev_eui) ? dev_eui : "of this EUI";
}
