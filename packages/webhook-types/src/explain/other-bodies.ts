import { parseJson, stringifyJson } from "@fieldmesh/core";
import { readBytes } from "@fieldmesh/core/internal";
import { isGzip, type HeadersLike, listItems, readHeader } from "../verify/message.ts";

interface OtherBody {
  readonly cause: "reserialized_json" | "trailing_newline" | "byte_order_mark";
  readonly body: string;
  readonly message: string;
}

const RAW = "Use the raw body, before any parser or middleware reads it.";

/** Bodies that the sender may have signed, if a framework passed on a different one. */
export function otherBodies(body: string | Uint8Array): OtherBody[] {
  const text =
    typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const found = (
    cause: OtherBody["cause"],
    bodies: readonly string[],
    message: string,
  ): OtherBody[] =>
    bodies.filter((other) => other !== text).map((other) => ({ cause, body: other, message }));
  return [
    ...found(
      "trailing_newline",
      endings(text),
      `The body differs from the signed one by a line break at its end. ${RAW}`,
    ),
    ...found(
      "byte_order_mark",
      [text.startsWith("\uFEFF") ? text.slice(1) : `\uFEFF${text}`],
      "The body differs from the signed one by a byte order mark at its start, which text() of a request drops. Use the bytes.",
    ),
    ...found(
      "reserialized_json",
      rewritings(text),
      `The body was parsed and serialized again: the JSON is the same, but its bytes are not. ${RAW}`,
    ),
  ];
}

function endings(text: string): string[] {
  const bare = text.replace(/(?<![\r\n])[\r\n]+$/, "");
  return [bare, `${bare}\n`, `${bare}\r\n`];
}

/** Writes JSON like common serializers: compact, with spaces (Python), indented, with escapes (Python, PHP). */
function rewritings(text: string): string[] {
  return formsOf(text).flatMap((form) => [
    form,
    escapeLetters(form),
    escapeSlashes(form),
    escapeSlashes(escapeLetters(form)),
  ]);
}

function formsOf(text: string): string[] {
  try {
    const value = parseJson(text.replace(/^\uFEFF/, ""));
    return [
      stringifyJson(value),
      spaced(value),
      ...[2, 4, "\t"].map((space) => stringifyJson(value, { space })),
    ];
  } catch {
    // Not JSON, or nested too deeply for a serializer.
    return [];
  }
}

/** Writes one line with spaces after colons and commas: `{"a": 1, "b": [2, 3]}`. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return stringifyJson(value);
  const members = Object.entries(value).map(
    ([key, child]) => `${stringifyJson(key)}: ${spaced(child)}`,
  );
  return `{${members.join(", ")}}`;
}

function escapeLetters(text: string): string {
  return text.replace(
    /[^\0-\x7f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function escapeSlashes(text: string): string {
  return text.replaceAll("/", "\\/");
}

/** The names of encodings in HTTP, each with its name in `DecompressionStream`. */
const FORMATS = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate", br: "brotli", zstd: "zstd" };
type Format = ConstructorParameters<typeof DecompressionStream>[0];
/** A few bytes may decompress to gigabytes. */
const LIMIT = 16 * 2 ** 20;

/** Returns the encoding of a body that is compressed, or was before a parser decompressed it, and what it contains if it can be read. */
export async function decompressed(
  body: string | Uint8Array,
  headers: HeadersLike,
): Promise<{ readonly encoding: string; readonly content: Uint8Array | undefined } | undefined> {
  const [named = ""] = listItems(readHeader(headers, "content-encoding")?.toLowerCase() ?? "");
  if (!isGzip(body) && (named === "" || named === "identity")) return undefined;
  const encoding = isGzip(body)
    ? "gzip"
    : Object.hasOwn(FORMATS, named)
      ? named
      : "another encoding";
  const format = FORMATS[encoding as keyof typeof FORMATS] as Format;
  try {
    const stream = new Blob([typeof body === "string" ? body : new Uint8Array(body)]).stream();
    const content = await readBytes(stream.pipeThrough(new DecompressionStream(format)), LIMIT);
    return { encoding, content };
  } catch {
    // It is not in this encoding, was cut or read as text, or this runtime cannot read it.
    return { encoding, content: undefined };
  }
}
