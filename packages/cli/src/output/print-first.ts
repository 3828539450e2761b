/** A longer list is easier to read as JSON or after the first problems are solved. */
const MOST = 20;

/** Prints the first lines of a list, and how many there are beyond them. `more` is what they are. */
export async function printFirst(
  print: (line: string) => unknown,
  lines: readonly string[],
  more: string,
): Promise<void> {
  for (const line of lines.slice(0, MOST)) await print(line);
  if (lines.length > MOST) await print(`and ${lines.length - MOST} ${more}`);
}
