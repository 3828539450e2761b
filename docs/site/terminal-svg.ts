// Draws what a terminal showed as an animated SVG, in both themes, that keeps still for who prefers reduced motion.
import { stripVTControlCharacters } from "node:util";
import headless, { type IBufferCell, type IBufferLine } from "@xterm/headless";

/** Options of a picture. */
export interface PictureOptions {
  /** What a screen reader says. */
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
}

/** A line on the screen, from one moment to another. */
interface ShownLine {
  readonly row: number;
  readonly markup: string;
  readonly length: number;
  readonly from: number;
  to: number | undefined;
}

const FONT_SIZE = 14;
const CHARACTER = 8.4;
const LINE = 20;
const MARGIN = 16;
/** Seconds for which the picture first shows its end: what draws only the first frame shows a full terminal. */
const LEAD = 2;
/** Milliseconds after a line, before lines are drawn again, and for a line that waits for a key. */
const TIMES = { line: 70, redraw: 380, wait: 1_600 };

// oxlint-disable no-control-regex -- what terminals understand
/** The end of a line, lines that are drawn again, and a line that is cleared. */
const PIECES = /(?<=\n)|(?=\u001B\[\d+A)|(?=\r(?!\n))/;
const REDRAW = /^\u001B\[(\d+)A/;
// oxlint-enable no-control-regex

/** The colors of the palette that the programs use: in the light theme, and in the dark one. */
const COLORS: Readonly<Record<number, readonly [string, string]>> = {
  1: ["#b3261e", "#ff8a80"],
  2: ["#0b6e4f", "#4fd1a1"],
  3: ["#7a5200", "#e8c268"],
  4: ["#0b5cad", "#7db7ff"],
  5: ["#8a2f8f", "#e39be8"],
  6: ["#046a7a", "#62c8f0"],
  8: ["#5b6570", "#98a2ad"],
};
const [INK, DIM, PAPER] = [
  ["#1c2126", "#d6dbe0"],
  ["#5b6570", "#98a2ad"],
  ["#f6f8fa", "#14181c"],
];

/** Draws the output of a terminal. */
export async function drawTerminal(
  shown: string,
  { title, columns, rows }: PictureOptions,
): Promise<string> {
  const terminal = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    allowProposedApi: true,
  });
  const lines: ShownLine[] = [];
  const current = new Map<number, ShownLine>();
  const scrolls = [{ at: 0, top: 0 }];
  let now = 0;
  for (const piece of piecesOf(shown)) {
    if (REDRAW.test(piece)) now += TIMES.redraw;
    await new Promise<void>((resolve) => terminal.write(piece, resolve));
    const buffer = terminal.buffer.active;
    for (let row = Math.max(0, buffer.length - rows); row < buffer.length; row++) {
      const { markup, length } = drawLine(buffer.getLine(row)!, columns);
      const before = current.get(row);
      if ((before?.markup ?? "") === markup) continue;
      if (before !== undefined) before.to = now;
      const line = { row, markup, length, from: now, to: undefined };
      current.set(row, line);
      if (markup !== "") lines.push(line);
    }
    if (buffer.baseY !== scrolls.at(-1)!.top) scrolls.push({ at: now, top: buffer.baseY });
    now += timeOf(piece);
  }
  terminal.dispose();

  const width = Math.ceil(columns * CHARACTER + 2 * MARGIN);
  const height = rows * LINE + 2 * MARGIN;
  const top = scrolls.at(-1)!.top * -LINE;
  const steps = scrolls
    .map(
      ({ at, top: first }) =>
        `${round((100 * at) / now)}%{transform:translateY(${-first * LINE}px)}`,
    )
    .join("");
  const texts = lines
    // What appears and is replaced in the same moment is never seen.
    .filter(({ from, to }) => to === undefined || to > from)
    .map(({ row, markup, length, from, to }) => {
      const end = to === undefined ? "" : `;--d:${round((to - from) / 1000)}s`;
      return `<text${to === undefined ? "" : ' class="o"'} y="${(row + 1) * LINE - 5}" textLength="${round(length * CHARACTER)}" lengthAdjust="spacingAndGlyphs" style="--i:${round(from / 1000)}s${end}">${markup}</text>`;
    });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"><title>${escape(title)}</title>
<style>
${theme(0)}@media (prefers-color-scheme:dark){${theme(1)}}
text{white-space:pre;font:${FONT_SIZE}px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;animation:i var(--i) ${LEAD}s}
.o{visibility:hidden;animation:o var(--d) calc(${LEAD}s + var(--i))}
.b{font-weight:700}
#s{transform:translateY(${top}px);animation:s ${round(now / 1000)}s ${LEAD}s step-end}
@keyframes i{from,to{visibility:hidden}}
@keyframes o{from,to{visibility:visible}}
@keyframes s{${steps}to{transform:translateY(${top}px)}}
#still:target *{animation:none}#still:target .o{display:none}
@media (prefers-reduced-motion:reduce){*{animation:none!important}.o{display:none}}
</style>
<rect id="p" width="100%" height="100%" rx="8"/>
<g id="still"><svg x="${MARGIN}" y="${MARGIN}" width="${columns * CHARACTER}" height="${rows * LINE}"><g id="s">
${texts.join("\n")}
</g></svg></g>
</svg>
`;
}

/** The texts of a picture that stay, from top to bottom: without what is drawn again, and without times. */
export function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text (?!class)[^>]*>(.*)<\/text>/g)].map(([, markup = ""]) =>
    markup.replaceAll(/<[^>]*>/g, ""),
  );
}

/** Milliseconds until the next piece. */
function timeOf(piece: string): number {
  if (piece.endsWith("\n")) return TIMES.line;
  if (stripVTControlCharacters(piece).trim() === "") return 0;
  return piece.startsWith("\r") ? TIMES.redraw : TIMES.wait;
}

/** Lines one by one; but lines that are drawn again belong together. */
function piecesOf(shown: string): string[] {
  const pieces: string[] = [];
  let open = 0;
  for (const piece of shown.split(PIECES)) {
    const [, count] = REDRAW.exec(piece) ?? [];
    if (open > 0 && count === undefined) {
      pieces.push(pieces.pop()! + piece);
      open--;
    } else {
      pieces.push(piece);
      open = Number(count ?? 1) - 1;
    }
  }
  return pieces;
}

function drawLine(line: IBufferLine, columns: number): { markup: string; length: number } {
  const runs: { style: string; text: string }[] = [];
  const length = line.translateToString(true).length;
  for (let column = 0; column < Math.min(length, columns); column++) {
    const cell = line.getCell(column)!;
    const text = cell.getChars() || " ";
    const style = text === " " ? (runs.at(-1)?.style ?? "") : styleOf(cell);
    if (runs.at(-1)?.style === style) runs.at(-1)!.text += text;
    else runs.push({ style, text });
  }
  const markup = runs
    .map(({ style, text }) =>
      style === "" ? escape(text) : `<tspan class="${style}">${escape(text)}</tspan>`,
    )
    .join("");
  return { markup, length };
}

function styleOf(cell: IBufferCell): string {
  const color = cell.isFgPalette() ? `c${cell.getFgColor()}` : cell.isDim() !== 0 ? "d" : "";
  return [cell.isBold() !== 0 ? "b" : "", color].filter((each) => each !== "").join(" ");
}

function theme(index: 0 | 1): string {
  const colors = Object.entries(COLORS).map(([code, pair]) => `.c${code}{fill:${pair[index]}}`);
  return `#p{fill:${PAPER![index]}}text{fill:${INK![index]}}.d{fill:${DIM![index]}}${colors.join("")}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
