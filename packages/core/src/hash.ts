/**
 * Hashes text to 64 bits: for equality and look-up within one program, never for security.
 *
 * With a seed that nobody knows, a hash that gets out cannot be looked up.
 *
 * @example
 * ```ts
 * hashText("0004A30B001C0530", 7); // [high, low], the same in every run
 * ```
 */
export function hashText(text: string, seed: number): [high: number, low: number] {
  // Two odd constants that spread bits well; each half takes in the other.
  let high = seed ^ 0x9e3779b9;
  let low = seed ^ 0x7f4a7c15;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    low = Math.imul(low ^ unit, 0xc2b2ae35);
    high ^= low >>> 15;
    low ^= high >>> 13;
  }
  return [high >>> 0, low >>> 0];
}
