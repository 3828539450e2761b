// Prints with colour and a progress bar on a terminal, and plain lines when piped.
import { inspect, styleText } from "node:util";

const isTerminal = process.stdout.isTTY;
const BAR_WIDTH = 30;

/** Prints a heading. */
export function chapter(title: string): void {
  console.log(`\n${styleText(["bold", "cyan"], title)}`);
}

/** Prints a remark. */
export function say(text: string): void {
  console.log(styleText("dim", text));
}

/** Prints a call, runs it, and prints its result. */
export async function show<T>(call: string, run: () => PromiseLike<T>): Promise<T> {
  console.log(`${styleText("green", ">")} ${call}`);
  try {
    const result = await run();
    print(result);
    return result;
  } catch (error) {
    console.log(indent(styleText("red", `${(error as Error).name}: ${(error as Error).message}`)));
    throw error;
  }
}

/** Prints a value, shortened. */
function print(value: unknown): void {
  const text = inspect(value, {
    colors: isTerminal && !process.env["NO_COLOR"],
    depth: 4,
    maxArrayLength: 1,
    breakLength: 100,
  });
  console.log(indent(text));
}

/** Shows progress on a terminal, and nothing when piped. */
export function progressBar(total: number): (done: number) => void {
  return (done) => {
    if (!isTerminal) return;
    const filled = Math.round((BAR_WIDTH * done) / total);
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    process.stdout.write(
      `\r  ${styleText("cyan", bar)} ${done} of ${total}${done >= total ? "\n" : ""}`,
    );
  };
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
