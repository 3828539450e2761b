import type { Context } from "../context.ts";
import { upperFirst } from "./printable.ts";

/** Prints where a command goes, and what says so: `Console  https://console.example.com  (CONSOLE_URL)`. */
export function sayWhere(
  { output }: Pick<Context, "output">,
  where: string,
  address: string,
  source: string | undefined,
): void {
  output.note(`${upperFirst(where)}  ${address}${source === undefined ? "" : `  (${source})`}`);
}
