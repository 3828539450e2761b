/** What the sandbox writes in place of a value that it does not show. */
const HIDDEN: ReadonlySet<unknown> = new Set(["[redacted]", "[undeclared]", "[too deep]"]);

/** Tells whether a value was hidden. */
export function isHidden(value: unknown): boolean {
  return HIDDEN.has(value);
}
