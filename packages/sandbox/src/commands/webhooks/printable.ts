/** Removes control characters, which a terminal would obey, and shortens the string. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, "").slice(0, 300);
}
