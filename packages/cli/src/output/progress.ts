import { styleText } from "node:util";
import { cellsOf, cutCells } from "./cells.ts";
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
const SHORTEST_BAR = 8;
const GAP = "  ";
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
      // The last column stays free, because some terminals go to the next line after it.
      const width = (sink.columns || Infinity) - 1;
      const line = describeProgress(options, done, (now - started) / SECOND, counts, width);
      const cut = cutCells(line, width);
      sink.write(CLEAR_LINE + (isColored ? colorBar(cut) : cut), () => undefined);
      drawn = now;
      isVisible = true;
    },
  };
}

/**
 * Returns the line of a bar after some seconds. In a narrow terminal, the bar is shorter, and the rate and the estimate are left
 * out before the bar and the total are.
 */
export function describeProgress(
  { what, total }: Pick<ProgressOptions, "what" | "total">,
  done: number,
  seconds: number,
  counts: Readonly<Record<string, number>>,
  width = Infinity,
): string {
  const rate = done / seconds;
  const listed = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${show(count)} ${name}`);
  if (total === undefined)
    return [what, show(done), `${show(Math.round(rate))}/s`, ...listed].join(GAP);
  const speed = `${show(Math.round(rate))}/s`;
  const estimate = rate === 0 ? [] : [`${sayDuration((total - done) / rate)} left`];
  const needed = [`${show(done)} of ${show(total)}`];
  const forms = [
    [...needed, speed, ...estimate, ...listed],
    [...needed, ...estimate, ...listed],
    [...needed, ...listed],
    needed,
  ];
  // What is left beside the bar of each form.
  const rooms = forms.map((form) => width - cellsOf([what, "", ...form].join(GAP)));
  const fits = rooms.findIndex((room) => room >= SHORTEST_BAR);
  const at = fits === -1 ? forms.length - 1 : fits;
  const room = rooms[at] ?? 0;
  const bar = Math.max(SHORTEST_BAR, Math.min(BAR_WIDTH, room));
  const name = room < SHORTEST_BAR ? cutCells(what, cellsOf(what) + room - SHORTEST_BAR) : what;
  return [name, drawBar(done / Math.max(total, 1), bar), ...(forms[at] ?? [])].join(GAP);
}

function drawBar(share: number, width: number): string {
  const filled = Math.round(width * Math.min(1, share));
  return "█".repeat(filled) + "░".repeat(width - filled);
}

/** Colors what a cut has left of the bar. */
function colorBar(line: string): string {
  return line.replace(/[█░]+/, (bar) => styleText("cyan", bar, { validateStream: false }));
}

/** Such as `12 s`, `3 min` or `1 h 20 min`. */
export function sayDuration(seconds: number): string {
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
