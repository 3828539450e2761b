/**
 * Tells whether two strings are the same, in a time that does not depend on where they differ.
 *
 * For secrets where the platform has no `timingSafeEqual`. No engine promises such a time for JavaScript code.
 *
 * @example
 * ```ts
 * equalText("2b7e", "2b7e"); // true
 * ```
 */
export function equalText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
