import { TokenParser, Tokenizer, TokenType } from "@streamparser/json";
import { CliError } from "../../exit-codes.ts";
import { isHexadecimal, ofDecimals } from "./cells.ts";
import type { FileText } from "./file-text.ts";
import { writeNames } from "./names.ts";
import type { SheetRow } from "./sheet-row.ts";

/** Tells whether a file is JSON: an array of C also begins with a brace. */
export function isJson(head: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[[\]{"])/.test(head);
}

/** Returns the columns of all devices in a JSON file, such as `ids.dev_eui`, and whether each device has its own line. */
export async function readJsonHeader(text: FileText, namesEui: NamesEui) {
  const header = new Set<string>();
  let [last, haveLines] = [0, true];
  for await (const { line, cells } of readDevices(text, namesEui)) {
    if (line === last) haveLines = false;
    last = line;
    for (const name of cells.keys()) header.add(name);
    if (header.size > MOST_COLUMNS)
      throw new CliError(
        `${text.file} has more than ${MOST_COLUMNS} different fields. Write each device with the same fields.`,
      );
  }
  return { header: [...header], haveLines };
}

/** Reads the devices of a JSON file one by one, as rows with the columns of {@link readJsonHeader}. */
export async function* readJsonRows(
  text: FileText,
  { header, haveLines }: Awaited<ReturnType<typeof readJsonHeader>>,
  namesEui: NamesEui,
): AsyncGenerator<SheetRow> {
  let count = 0;
  for await (const { line, cells } of readDevices(text, namesEui))
    yield { line: haveLines ? line : --count, cells: header.map((name) => cells.get(name) ?? "") };
}

const MOST_COLUMNS = 1_000;

/** Tells whether a column holds the EUIs of devices. */
type NamesEui = (name: string) => boolean;
type JsonObject = Readonly<Record<string, unknown>>;

interface JsonDevice {
  readonly line: number;
  /** What it has, by the names of columns. */
  readonly cells: ReadonlyMap<string, string>;
}

async function* readDevices(text: FileText, namesEui: NamesEui): AsyncGenerator<JsonDevice> {
  const lineOf = new WeakMap<object, number>();
  for await (const value of readValues(text, lineOf))
    for (const device of devicesIn(value, namesEui))
      yield { line: lineOf.get(device) ?? lineOf.get(value) ?? 1, cells: cellsOf(device) };
}

/** Bytes of one value that are kept at once. A longer file is read if it is an array, or has a value in each line. */
const LONGEST = 67_108_864;

/** Reads the values of a file, which are in an array or one after another, and keeps the line at which each object begins. */
async function* readValues(
  { file, pieces }: FileText,
  lineOf: WeakMap<object, number>,
): AsyncGenerator<JsonObject> {
  const values: JsonObject[] = [];
  const begun: number[] = [];
  let [line, kept] = [1, 0];
  const tokenizer = new ExactTokenizer({ separator: "" });
  const parser = new TokenParser({ separator: "" });
  tokenizer.onToken = (token) => {
    if (token.token === TokenType.LEFT_BRACE) begun.push(line);
    parser.write(token);
  };
  parser.onValue = ({ value, parent, stack }) => {
    if (isObject(value)) lineOf.set(value, begun.pop() ?? line);
    const isInArray = stack.length === 1 && Array.isArray(parent);
    if (!isInArray && (stack.length > 0 || Array.isArray(value))) return;
    // A list of strings is one of EUIs.
    const object: JsonObject =
      isObject(value) || Array.isArray(value) ? (value as JsonObject) : { dev_eui: value };
    if (!lineOf.has(object)) lineOf.set(object, line);
    values.push(object);
    if (isInArray) parent.length = 0;
    kept = 0;
  };
  try {
    for await (const piece of pieces()) {
      for (const part of piece.toString().split(/(?<=\n)/)) {
        tokenizer.write(part);
        yield* values.splice(0);
        kept += part.length;
        if (part.endsWith("\n")) line++;
      }
      if (kept > LONGEST)
        throw new CliError(
          `${file} has a JSON value of more than 64 MB. Write one device in each line (NDJSON), and use that file.`,
        );
    }
    tokenizer.end();
    if (!parser.isEnded) parser.end();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${file} is not JSON that can be read: see line ${line}.`);
  }
}

/** Keeps the digits of a number that would be rounded, such as an EUI without letters. */
class ExactTokenizer extends Tokenizer {
  protected override parseNumber(digits: string): number {
    return (String(Number(digits)) === digits ? Number(digits) : digits) as number;
  }
}

/** Finds the devices in a value: those of a list in it, those by their EUIs, or the value itself. */
function* devicesIn(value: unknown, namesEui: NamesEui): Generator<JsonObject> {
  const inside =
    isObject(value) && [...cellsOf(value).keys()].some(namesEui) ? [] : within(value, namesEui);
  if (inside.length > 0) yield* inside;
  else if (isObject(value)) yield value;
}

function within(value: unknown, namesEui: NamesEui): JsonObject[] {
  if (!isObject(value) && !Array.isArray(value)) return [];
  const entries = Object.entries(value as JsonObject);
  return entries.flatMap(([name, each]) => {
    if (isObject(each) && isHexadecimal(name)) return [{ dev_eui: name, ...each }];
    const isDevice =
      Array.isArray(value) && isObject(each) && [...cellsOf(each).keys()].some(namesEui);
    return isDevice ? [each] : within(each, namesEui);
  });
}

/** Values inside of each other. No device has more. */
const DEEPEST = 12;

/** Returns the values of a device by their paths. Names in a list, such as those of labels, are one value. */
function cellsOf(device: JsonObject): Map<string, string> {
  const cells = new Map<string, string>();
  const add = (path: readonly string[], value: unknown): void => {
    if (path.length > DEEPEST) return;
    if (isObject(value) || (Array.isArray(value) && value.some(isList)))
      for (const [name, each] of Object.entries(value)) add([...path, name], each);
    else cells.set(path.join("."), cellOf(value));
  };
  add([], device);
  return cells;
}

function cellOf(value: unknown): string {
  if (!Array.isArray(value)) return scalar(value);
  if (value.length > 0 && value.every((each) => typeof each === "number"))
    return ofDecimals(value as number[]) ?? `[${value.join()}]`;
  return writeNames(value.map((each) => scalar(isObject(each) ? each["name"] : each)));
}

function scalar(value: unknown): string {
  return value === null ? "" : String(value as string | number | boolean).trim();
}

/** Tells whether an element of a list has fields of its own, and not only a name that says what it is. */
function isList(element: unknown): boolean {
  return Array.isArray(element) || (isObject(element) && typeof element["name"] !== "string");
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
