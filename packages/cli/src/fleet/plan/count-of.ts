/** Such as `1 device`, `2 devices` and `2,468 devices`. */
export function countOf(count: number, thing: string): string {
  return count === 1 ? `1 ${thing}` : `${count.toLocaleString("en-US")} ${thing}s`;
}
