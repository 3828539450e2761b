/**
 * Thrown for a string that is not JSON.
 *
 * The message quotes nothing from the string, which may be a body with secrets. The message of an engine would quote it.
 */
export class JsonSyntaxError extends SyntaxError {
  override name = "JsonSyntaxError";
  /** Whether a bracket or a quote is still open at the end, as in a body that was cut off. */
  readonly truncated: boolean;

  constructor(text: string, reason: SyntaxError | RangeError) {
    const truncated = isOpenAtEnd(text);
    super(truncated ? "Unexpected end of JSON input" : messageOf(reason));
    this.truncated = truncated;
  }
}

/** More digits than any amount has. BigInt needs quadratic time for the digits of an integer. */
export const MAX_DIGITS = 1_000;

/** Thrown for an integer with too many digits. */
export class LongIntegerError extends RangeError {
  override message = `An integer in JSON has more than ${MAX_DIGITS} digits`;
}

function messageOf(reason: Error): string {
  const { message, name } = reason;
  if (reason instanceof LongIntegerError) return message;
  if (name === "RangeError") return "JSON is nested too deeply";
  // V8 includes the position in some errors. Other engines never do.
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined
    ? "Not valid JSON"
    : `Unexpected token in JSON at position ${position}`;
}

/** Counts brackets outside strings. Uses a loop, because a regular expression overflows on a string of several megabytes. */
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
