/** The body of an answer is larger than allowed. */
export class BodyTooLarge extends Error {}

/**
 * Reads a whole body as UTF-8 text, counting bytes after decompression, and stops at the limit: a small
 * compressed answer can unpack to gigabytes.
 */
export async function readBody(
  response: Response,
  limit: number,
): Promise<{ text: string; bytes: number }> {
  if (response.body === null) return { text: "", bytes: 0 };
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > limit) {
      // Not awaited: a server that goes on sending must not hold the caller up.
      reader.cancel().catch(() => undefined);
      throw new BodyTooLarge();
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
  parts.push(decoder.decode());
  return { text: parts.join(""), bytes };
}
