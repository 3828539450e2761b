/**
 * Compares two strings in a time that does not depend on where they differ.
 *
 * Use it for secrets on a platform without `timingSafeEqual`. JavaScript engines do not guarantee constant time.
 */
export function equalText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
