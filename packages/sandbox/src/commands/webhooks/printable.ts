/** Without what a terminal would obey, and short. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, "").slice(0, 300);
}
