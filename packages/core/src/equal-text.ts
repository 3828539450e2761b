/**
 * Tells whether two texts are the same, in a time that depends on their lengths only: for signatures and secrets.
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
