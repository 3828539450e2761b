import { readBytes } from "@fieldmesh/core/internal";
import { isGzip } from "../verify/body.ts";
import { type HeadersLike, listItems, readHeader } from "../verify/headers.ts";

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
