/** Such as `1 device` and `2 devices`. */
export function countOf(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count} ${thing}s`;
}
