import { decided, mapEntry, namesOf, splitEntry, type Columns } from "./columns.ts";
import { digitsOf, isEui } from "./cells.ts";
import { sayLines } from "./group-problems.ts";
import type { Sheet, SheetRow } from "./sheet.ts";
import { usualOrder, type Euis } from "./vendors.ts";

/** What the columns of a file show together, and only the user can decide. */
export interface Doubt {
  /** What was found, as a sentence. */
  readonly found: string;
  /** What a terminal asks. */
  readonly question: string;
  /** The options that decide it, as a sentence. */
  readonly advice: string;
  /** What the user agrees to at the question. */
  readonly agreed: Decisions;
}

/** What the user decided about the columns of a file. */
export interface Decisions {
  /** Entries of `--map`. */
  readonly map?: readonly string[] | undefined;
  /** `--euis`. With `reversed`, EUIs whose bytes look reversed get their usual order. With `as-written`, none is doubted. */
  readonly euis?: string | undefined;
}

/** A row, with the digits of its EUIs. */
export interface EuiRow extends SheetRow, Euis {}

/** Returns a function that looks at one row after the other, and one that says what to ask then. */
export function createDoubts(sheet: Sheet, columns: Columns, { map = [], euis }: Decisions) {
  const doubts = [
    ...(euis === undefined ? [reversedBytes()] : []),
    ...(map.some((entry) => /^(?:dev|app)_eui$/.test(splitEntry(entry)?.field ?? ""))
      ? []
      : [swappedColumns(sheet, columns)]),
    twoKeys(sheet, columns),
  ];
  return {
    add: (row: EuiRow): void => doubts.forEach(({ add }) => add(row)),
    all: (): Doubt[] => doubts.flatMap(({ doubt }) => doubt() ?? []),
  };
}

/** Looks for one thing. */
interface Looking {
  readonly add: (row: EuiRow) => void;
  readonly doubt: () => Doubt | undefined;
}

function reversedBytes(): Looking {
  const lines: number[] = [];
  return {
    add(row) {
      if (Object.keys(usualOrder(row)).length > 0) lines.push(row.line);
    },
    doubt: () =>
      lines.length === 0
        ? undefined
        : {
            found: `The bytes of EUIs are probably reversed, because they end with the prefix of a vendor: ${sayLines(lines)}.`,
            question: "Reverse these EUIs?",
            advice: "Add --euis reversed to reverse these EUIs, or --euis as-written to keep them.",
            agreed: { euis: "reversed" },
          },
  };
}

/** A file has devices of a few applications, but not a few devices in many. */
const MAX_APPLICATIONS = 16;

function swappedColumns({ header }: Sheet, { dev_eui, app_eui }: Columns): Looking {
  const seen = { dev_eui: new Set<string>(), app_eui: new Set<string>() };
  return {
    add(row) {
      if (seen.dev_eui.size > MAX_APPLICATIONS) return;
      if (!isEui(row.dev_eui) || !isEui(row.app_eui)) return;
      seen.dev_eui.add(row.dev_eui.toUpperCase());
      seen.app_eui.add(row.app_eui.toUpperCase());
    },
    doubt() {
      const [devices, others] = [seen.dev_eui.size, seen.app_eui.size];
      const [dev = -1, app = -1] = [dev_eui[0], app_eui[0]];
      const isSwapped = devices > 0 && devices <= MAX_APPLICATIONS && others >= 2 * devices;
      if (!isSwapped || dev === -1 || app === -1) return undefined;
      const mapped = (ofDevice: number, ofApp: number): string =>
        `${mapEntry(header, ofDevice, "dev_eui")} ${mapEntry(header, ofApp, "app_eui")}`;
      return {
        found: `The columns ${namesAt(header, [dev, app])} are probably swapped: ${others} values of app_eui share ${devices} of dev_eui.`,
        question: "Swap them?",
        advice: `Add ${mapped(app, dev)} to swap them, or ${mapped(dev, app)} to keep them, without the rows that share a dev_eui.`,
        agreed: { map: [`${app + 1}=dev_eui`, `${dev + 1}=app_eui`] },
      };
    },
  };
}

/** A name of the column of the NwkKey, such as `root_keys.nwk_key.key`. */
const NWK_KEY = /n(?:et)?w(?:or)?k[^a-z]*key(?:\.key)?$/i;

function twoKeys({ header }: Sheet, columns: Columns): Looking {
  const lines: number[] = [];
  const differing = new Set<number>();
  return {
    add({ line, cells }) {
      const keyAt = (column: number): string => digitsOf(cells[column] ?? "").toUpperCase();
      const keys = columns.app_key.filter((column) => /^(?!0+$)[\dA-F]{32}$/.test(keyAt(column)));
      const filled = decided(keys, columns).map((column) => ({ column, key: keyAt(column) }));
      const others = filled.filter(({ key }) => key !== filled[0]?.key);
      if (others.length === 0) return;
      lines.push(line);
      for (const { column } of [...filled.slice(0, 1), ...others]) differing.add(column);
    },
    doubt() {
      if (lines.length === 0) return undefined;
      const [first = 0, second = 0] = differing;
      const network = [...differing].find((column) => NWK_KEY.test(header[column] ?? ""));
      const [best, other] = network === second ? [second, first] : [first, second];
      const why =
        network === undefined
          ? ""
          : " A LoRaWAN 1.0 network, such as that of the console, uses the NwkKey of a device that has both.";
      return {
        found: `The columns ${namesAt(header, [first, second])} have different keys: ${sayLines(lines)}.${why}`,
        question: `Use the keys of ${namesAt(header, [best])}?`,
        advice: `Add ${entries(header, best)} or ${entries(header, other)}.`,
        agreed: { map: [`${best + 1}=app_key`] },
      };
    },
  };
}

function entries(header: readonly string[], column: number): string {
  return mapEntry(header, column, "app_key");
}

function namesAt(header: readonly string[], columns: readonly number[]): string {
  const names = namesOf(header);
  return columns.map((column) => names[column]).join(" and ");
}
