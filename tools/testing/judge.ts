import { isFieldmeshError, JsonSyntaxError } from "@fieldmesh/core";
import { CANARY } from "./junk.ts";

// Messages of a runtime or a library about a value. An error of the packages has its own message.
const FOREIGN =
  /^(Cannot|Reflect\.|Class|Invalid|Illegal|Maximum call|Do not know|Converting|Method|Failed to|Object prototype|The "|First argument|Expected)|is not (a function|iterable|a constructor|an object|a number|a valid URL)|\(reading|' on proxy|revoked|must be of type|unreachable|Received/;

/** Calls a function with junk. Returns the fault of its error, or `undefined`. */
export async function judge(call: () => unknown): Promise<string | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return findFault(error);
  }
}

function findFault(error: unknown): string | undefined {
  try {
    if (!(error instanceof Error)) return "it throws what is not an error";
    const shown = `${error.name}: ${error.message}`.slice(0, 300);
    const printed = `${error.message} ${error.stack} ${JSON.stringify(error)}`;
    if (printed.includes(CANARY)) return `it repeats what junk threw: ${shown}`;
    if (isFieldmeshError(error) || error instanceof JsonSyntaxError) return undefined;
    const isTyped = error instanceof TypeError || error instanceof RangeError;
    if (!isTyped) return `it is not typed: ${shown}`;
    return FOREIGN.test(error.message) ? `it is not of ours: ${shown}` : undefined;
  } catch {
    return "it throws junk itself";
  }
}
