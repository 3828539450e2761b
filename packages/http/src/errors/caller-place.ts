import { isFieldmeshError } from "@fieldmesh/core";

/** Where a stack was captured. The engine writes its lines only when they are read. */
interface Place {
  readonly stack?: unknown;
}

/**
 * Keeps the place from which `method` was called, and returns a function that adds it to the stack of an error of ours, and the
 * places that wait for `waiting`. The stack of an error that is thrown many awaits later ends within this package, if it has the
 * usual ten lines.
 */
export function keepPlace(method: object, waiting = method): <E>(error: E) => E {
  const began = capture(method);
  return (error) => {
    try {
      if (isFieldmeshError(error) && typeof error.stack === "string") {
        const known = new Set(error.stack.split("\n").map(lineOf));
        const added = [...framesOf(capture(waiting)), ...framesOf(began)].filter((frame) => {
          const isNew = !known.has(lineOf(frame));
          known.add(lineOf(frame));
          return isNew;
        });
        error.stack = [error.stack, ...added].join("\n");
      }
    } catch {
      // The error is frozen, or the program formats stacks in its own way.
    }
    return error;
  };
}

/** Captures the stack above a function. Only engines with the stacks of V8 can. */
function capture(above: object): Place {
  const place: Place = {};
  Error.captureStackTrace?.(place, above as () => void);
  return place;
}

function framesOf({ stack }: Place): string[] {
  return String(stack)
    .split("\n")
    .filter((line) => /^\s+at /.test(line));
}

/** Returns a frame without what differs between two calls in one line. */
function lineOf(frame: string): string {
  return frame.replace(/async |:\d+\)?$/g, "");
}
