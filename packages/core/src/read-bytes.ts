/** Reads a body to its end. Returns `undefined` once it is longer than `limit` bytes. */
export async function readBytes(
  body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // node-fetch returns bodies that are streams of Node.
  const stream = body === null || "getReader" in body ? body : ReadableStream.from(body);
  const reader = stream?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next?.value === undefined) return concatBytes(chunks, length);
    length += next.value.byteLength;
    if (length > limit) {
      // Not awaited: a sender that never stops must not block the caller.
      reader?.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(next.value);
  }
}

/** Joins chunks that have `length` bytes in total. A single chunk is not copied. */
export function concatBytes(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
