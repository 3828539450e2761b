/**
 * Describes the kind of a value without showing its content. Use it in messages about a wrong option: the value may be a secret.
 */
export function describeValue(value: unknown): string {
  try {
    return describe(value);
  } catch {
    // A getter or a proxy throws.
    return "an object that cannot be read";
  }
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value !== "object") return `a ${typeof value}`;
  const name = (value.constructor as { name?: unknown } | undefined)?.name;
  return typeof name === "string" && name !== "" && name !== "Object"
    ? `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`
    : "an object";
}

/** Describes a value like {@link describeValue}, but shows the digits of a number. Use it for an option that must be a number. */
export function describeNumber(value: unknown): string {
  return typeof value === "number" ? String(value) : describeValue(value);
}
