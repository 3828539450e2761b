import type { Output } from "./output.ts";
import { upperFirst } from "./printable.ts";

/** Prints where a command goes, and what says so: `Console  https://console.example.com  (CONSOLE_URL)`. */
export function sayWhere(
  { output }: { readonly output: Pick<Output, "note"> },
  where: string,
  address: string,
  source: string | undefined,
): void {
  output.note(`${upperFirst(where)}  ${address}${source === undefined ? "" : `  (${source})`}`);
}
