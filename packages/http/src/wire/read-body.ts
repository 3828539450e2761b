import { ENDED, readBytes, within } from "@fieldmesh/core/internal";

/** The part of a response that is used. A `Response` of any implementation has it. */
export interface FetchedResponse extends Pick<Response, "status" | "ok" | "headers"> {
  /** A stream of the web, or of Node. */
  readonly body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | null;
}

/** A completely read response. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly bytes: number;
  /** Why the body was dropped: it is larger than allowed, or than a string of the runtime, or that of an error was not read. */
  readonly dropped?: "it is too large" | "it is too long" | typeof UNREAD;
  /** `false` if bytes of the body are not UTF-8, so that the string contains replacement characters. @default true */
  readonly isUtf8?: boolean;
}

const UNREAD = "it broke off, came too slowly, or has another content-encoding";

// Enough for any error message. A longer body from a proxy is not worth reading.
const MAX_ERROR_BYTES = 256 * 1024;
/** The status of an error says what happened, so its body is not worth a longer wait. In milliseconds. */
const ERROR_TIME = 2_000;

/** Reads the body of an error, within the time that is left at most. The response has none if it cannot be read. */
export async function readError(response: FetchedResponse, timeLeft: number): Promise<RawResponse> {
  const late = new AbortController();
  try {
    const read = () => readBody(response, 0, late.signal);
    return await within(Math.max(0, Math.min(ERROR_TIME, timeLeft)), read, "");
  } catch {
    late.abort(ENDED);
    const { status, headers } = response;
    return { status, headers, body: "", bytes: 0, dropped: UNREAD };
  }
}

/** Reads the whole body of a response, up to `maxBytes` of a success. */
export async function readBody(
  response: FetchedResponse,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<RawResponse> {
  const { status, headers } = response;
  const limit = response.ok ? maxBytes : MAX_ERROR_BYTES;
  const empty = { status, headers, body: "", bytes: limit };
  try {
    // The limit applies after decompression: a small compressed body can expand to gigabytes.
    const body = await readBytes(response.body, limit, signal);
    if (body === undefined) return { ...empty, dropped: "it is too large" };
    return { status, headers, ...readText(body), bytes: body.byteLength };
  } catch (error) {
    if (error === TOO_LONG || error instanceof RangeError)
      return { ...empty, dropped: "it is too long" };
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
