import { styleText } from "node:util";
import { cutCells } from "./cells.ts";
import type { Progress, Sink } from "./output.ts";

export interface ProgressOptions {
  readonly what: string;
  readonly total: number | undefined;
  readonly sink: Sink;
  readonly isColored: boolean;
  readonly isShown: boolean;
}

/** A bar that can be hidden for a line of output. Its next update draws it again. */
export interface ShownProgress extends Progress {
  hide(): void;
}

/** Shorter work needs no bar. */
const APPEARS_AFTER = 1_000;
/** Often enough to be smooth. */
const REDRAWN_AFTER = 100;
const BAR_WIDTH = 24;
const SECOND = 1_000;
const MINUTE = 60;
const CLEAR_LINE = "\r\u001B[K";

/** Starts a progress bar. */
export function createProgress(options: ProgressOptions): ShownProgress {
  const { sink, isShown, isColored } = options;
  const started = performance.now();
  let drawn = 0;
  let isVisible = false;
  const hide = (): void => {
    if (isVisible) sink.write(CLEAR_LINE, () => undefined);
    isVisible = false;
    // The next update draws.
    drawn = 0;
  };
  return {
    hide,
    end: hide,
    update(done, counts = {}) {
      const now = performance.now();
      if (!isShown || now - started < APPEARS_AFTER || now - drawn < REDRAWN_AFTER) return;
      const line = describeProgress(options, done, (now - started) / SECOND, counts);
      // The last column stays free, because some terminals go to the next line after it.
      const cut = cutCells(line, (sink.columns || Infinity) - 1);
      sink.write(CLEAR_LINE + (isColored ? colorBar(cut) : cut), () => undefined);
      drawn = now;
      isVisible = true;
    },
  };
}

/** Returns the line of a bar after some seconds. */
export function describeProgress(
  { what, total }: Pick<ProgressOptions, "what" | "total">,
  done: number,
  seconds: number,
  counts: Readonly<Record<string, number>>,
): string {
  const rate = done / seconds;
  const listed = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${show(count)} ${name}`);
  const estimate =
    total === undefined || rate === 0 ? [] : [`${sayDuration((total - done) / rate)} left`];
  return [
    what,
    ...(total === undefined ? [] : [drawBar(done / Math.max(total, 1))]),
    total === undefined ? show(done) : `${show(done)} of ${show(total)}`,
    `${show(Math.round(rate))}/s`,
    ...estimate,
    ...listed,
  ].join("  ");
}

function drawBar(share: number): string {
  const filled = Math.round(BAR_WIDTH * Math.min(1, share));
  return "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
}

/** Colors what a cut has left of the bar. */
function colorBar(line: string): string {
  return line.replace(/[█░]+/, (bar) => styleText("cyan", bar, { validateStream: false }));
}

function sayDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < MINUTE) return `${whole} s`;
  const minutes = Math.ceil(whole / MINUTE);
  return minutes < MINUTE
    ? `${minutes} min`
    : `${Math.floor(minutes / MINUTE)} h ${minutes % MINUTE} min`;
}

function show(count: number): string {
  return count.toLocaleString("en-US");
}
