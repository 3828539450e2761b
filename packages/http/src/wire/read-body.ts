import { readBytes } from "@fieldmesh/core/internal";

/** A completely read response. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly bytes: number;
  /** The body was larger than allowed and was dropped. */
  readonly tooLarge: boolean;
  /** The runtime has no string, or no buffer, for so many bytes. @default false */
  readonly isTooLong?: boolean;
  /** `false` if bytes of the body are not UTF-8, so that the string contains replacement characters. @default true */
  readonly isUtf8?: boolean;
}

// Enough for any error message. A longer body from a proxy is not worth reading.
const MAX_ERROR_BYTES = 256 * 1024;

/** Reads the whole body of a response, up to `maxBytes` of a success. */
export async function readBody(
  response: Pick<Response, "status" | "headers" | "ok" | "body">,
  maxBytes: number,
): Promise<RawResponse> {
  const { status, headers } = response;
  const limit = response.ok ? maxBytes : MAX_ERROR_BYTES;
  const dropped = { status, headers, body: "", bytes: limit, tooLarge: true };
  try {
    // The limit applies after decompression: a small compressed body can expand to gigabytes.
    const body = await readBytes(response.body, limit);
    if (body === undefined) return dropped;
    return { status, headers, ...readText(body), bytes: body.byteLength, tooLarge: false };
  } catch (error) {
    if (error === TOO_LONG || error instanceof RangeError) return { ...dropped, isTooLong: true };
    throw error;
  }
}

/** Thrown for a body that is longer than the longest string of the runtime. Node reports that in an error of the decoder. */
const TOO_LONG = new Error("too long for a string");

function readText(bytes: Uint8Array): Pick<RawResponse, "body" | "isUtf8"> {
  try {
    return { body: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    try {
      return { body: new TextDecoder().decode(bytes), isUtf8: false };
    } catch {
      // This decoder accepts all bytes, so only their number is a reason.
      throw TOO_LONG;
    }
  }
}
