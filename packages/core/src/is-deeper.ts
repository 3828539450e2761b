/**
 * How deep what others send may be nested. No event and no uplink is as deep. Code that recurses, such as that of handlers, would
 * overflow the stack at some thousand levels.
 */
const MOST_LEVELS = 500;
export const TOO_DEEP = `nested more than ${MOST_LEVELS} levels deep`;

/**
 * Whether what others sent is nested too deeply. `length` is that of its JSON: each level has two brackets, so a short one is not
 * searched.
 */
export function isTooDeep(value: unknown, length = Infinity): boolean {
  return length >= 2 * MOST_LEVELS && isDeeper(value, MOST_LEVELS);
}

/** Whether lists and objects are nested more than `most` levels deep. It does not recurse, so that no depth overflows the stack. */
export function isDeeper(value: unknown, most: number): boolean {
  let level: readonly object[] = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === most) return true;
    level = level.flatMap((parent) => Object.values(parent).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
