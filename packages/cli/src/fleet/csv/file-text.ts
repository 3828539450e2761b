import { stat } from "node:fs/promises";
import { CliError } from "../../exit-codes.ts";
import { streamUserFile } from "../../files/user-file.ts";

/** A file of UTF-8 or UTF-16, with or without a byte order mark. */
export interface FileText {
  /** How messages call it. */
  readonly file: string;
  /** The first 64 KB or more. */
  readonly head: string;
  /** Whether it begins with a byte order mark, from which a spreadsheet recognizes UTF-8. */
  readonly bom: boolean;
  /** Reads the file from its beginning, in UTF-8 without a mark. */
  readonly pieces: () => AsyncGenerator<Buffer>;
}

/** Opens a file as a string that is not kept. Throws a CliError for one that is something else. */
export async function openText(path: string, file: string): Promise<FileText> {
  // First, because it names a file that is not there.
  const start = await firstBytes(path);
  const version = await versionOf(path);
  for (const [signature, problem] of OTHER_FORMATS)
    if (signature.test(start.toString("latin1"))) throw new CliError(`${file} ${problem}`);
  const encoding = encodingOf(start);
  const check = async (): Promise<void> => {
    if ((await versionOf(path)) === version) return;
    throw new CliError(`${file} was changed while it was read. Run the same command again.`);
  };
  const pieces = async function* (): AsyncGenerator<Buffer> {
    await check();
    yield* decode(path, file, encoding);
    await check();
  };
  let head = "";
  for await (const piece of pieces()) {
    head += piece.toString();
    if (head.length >= HEAD) break;
  }
  return {
    file,
    head,
    bom: encoding !== "utf-8" || start.subarray(0, 3).equals(UTF_8_MARK),
    pieces,
  };
}

const HEAD = 65_536;
const UTF_8_MARK = Buffer.from("\uFEFF");

const SPREADSHEET = "is a spreadsheet. Save it as CSV, and use that file.";
const OTHER_FORMATS = [
  [/^PK/, SPREADSHEET],
  [/^\xD0\xCF.\xE0/, SPREADSHEET],
  [/^age-encryption\.org\//, "is encrypted. Decrypt it with age, and use that file."],
  [/^%PDF/, "is a PDF file. Ask for the table as CSV, and use that file."],
  [
    /^(?:\xEF\xBB\xBF)?\s*<(?:!|\?|html|table)/i,
    "is a page or XML. Save the table as CSV, and use that file.",
  ],
] as const;

async function versionOf(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path);
  return [ino, size, mtimeMs].join();
}

async function firstBytes(path: string): Promise<Buffer> {
  for await (const bytes of streamUserFile(path)) return Buffer.from(bytes);
  return Buffer.alloc(0);
}

/** Bytes that show the encoding. */
const SHOWING = 256;

/** In UTF-16, each letter of a header has one byte of zero, and in UTF-8, none has. */
function encodingOf(start: Buffer): "utf-8" | "utf-16le" | "utf-16be" {
  const mark = start.subarray(0, 2).toString("hex");
  if (mark === "fffe") return "utf-16le";
  if (mark === "feff") return "utf-16be";
  const zeros = [...start.subarray(0, SHOWING)].flatMap((byte, at) => (byte === 0 ? [at % 2] : []));
  const odd = zeros.filter((place) => place === 1).length;
  const even = zeros.length - odd;
  if (zeros.length === 0) return "utf-8";
  return even > odd ? "utf-16be" : "utf-16le";
}

async function* decode(path: string, file: string, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const bytes of streamUserFile(path))
      yield Buffer.from(decoder.decode(bytes, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    throw new CliError(
      `${file} is not in UTF-8, so names would be damaged. Save it as "CSV UTF-8", and use that file.`,
    );
  }
}
