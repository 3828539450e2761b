/**
 * A string that is not JSON.
 *
 * The message contains nothing of the string, because an engine's own message quotes it, and it may be a body with
 * secrets.
 */
export class JsonSyntaxError extends SyntaxError {
  override name = "JsonSyntaxError";
  /** Whether brackets or quotes are still open at the end, as in a body that broke off. */
  readonly truncated: boolean;

  constructor(text: string, reason: SyntaxError | RangeError) {
    const truncated = isOpenAtEnd(text);
    super(truncated ? "Unexpected end of JSON input" : messageOf(reason));
    this.truncated = truncated;
  }
}

/** More than any amount has; BigInt takes quadratic time for the digits of one integer. */
export const MAX_DIGITS = 1_000;

/** An integer that is too long. */
export class LongIntegerError extends RangeError {
  override message = `An integer in JSON has more than ${MAX_DIGITS} digits`;
}

function messageOf(reason: Error): string {
  const { message, name } = reason;
  if (reason instanceof LongIntegerError) return message;
  if (name === "RangeError") return "JSON is nested too deeply";
  // V8 names the position of some errors; other engines name none.
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined
    ? "Not valid JSON"
    : `Unexpected token in JSON at position ${position}`;
}

/** Counts brackets outside strings. A loop, because a regular expression overflows on a string of megabytes. */
function isOpenAtEnd(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') inString = !inString;
    else if (inString) at += char === "\\" ? 1 : 0;
    else if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
  }
  return inString || depth > 0;
}
