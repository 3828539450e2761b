/** Checks an option that must be an integer, and returns it; throws a TypeError that says what to write. */
export function checkInteger(
  name: string,
  value: number,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} up` : `${min} to ${max}`;
  throw new TypeError(`${name} must be an integer from ${range}.`);
}
