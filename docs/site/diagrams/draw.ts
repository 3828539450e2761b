/** A drawing in SVG. Its colors come from the classes of `STYLE`, so that it fits both themes. */
export interface Diagram {
  readonly width: number;
  readonly height: number;
  /** What the drawing says, for readers who do not see it. */
  readonly description: string;
  readonly parts: readonly string[];
}

export type Point = readonly [x: number, y: number];

/** The colors of a drawing that is seen on its own, such as on GitHub. The site has its own for the same classes. */
const STYLE = `
.fm-diagram { --ink: #17211c; --soft: #55625b; --line: #8a978f; --box: #f2f5f1; --frame: #c3cdc6; --good: #0b6e4f; --bad: #b3401c; --warn: #8a5a00; }
@media (prefers-color-scheme: dark) { .fm-diagram { --ink: #e8eee9; --soft: #a9b6ae; --line: #75827a; --box: #18211d; --frame: #3a4740; --good: #5ed7a5; --bad: #ff9e7a; --warn: #f0bd5e; } }
.fm-diagram text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.fm-diagram .strong { font-weight: 650; }
.fm-diagram .mono { font-family: ui-monospace, monospace; font-size: 12.5px; }
.fm-diagram .small { font-size: 12px; fill: var(--soft); }
.fm-diagram .box { fill: var(--box); stroke: var(--frame); stroke-width: 1.5; }
.fm-diagram .none { fill: none; stroke: var(--line); stroke-width: 1.5; stroke-dasharray: 5 4; }
.fm-diagram .line { fill: none; stroke: var(--line); stroke-width: 1.5; }
.fm-diagram .tip { fill: var(--line); }
.fm-diagram .good { --frame: var(--good); --line: var(--good); }
.fm-diagram .bad { --frame: var(--bad); --line: var(--bad); }
.fm-diagram .warn { --frame: var(--warn); --line: var(--warn); }
.fm-diagram text.good { fill: var(--good); }
.fm-diagram text.bad { fill: var(--bad); }
.fm-diagram text.warn { fill: var(--warn); }
.fm-diagram .fill { fill: var(--frame); stroke: var(--frame); }
`;

const LINE_HEIGHT = 18;

/** Returns the drawing as a file. `name` makes its ids differ from those of others on a page. */
export function toSvg(name: string, { width, height, description, parts }: Diagram): string {
  return [
    `<svg class="fm-diagram" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="fm-${name}">`,
    `<desc id="fm-${name}">${escapeText(description)}</desc>`,
    `<style>${STYLE}</style>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** Draws lines of text, the first at a point. */
export function text(
  [x, y]: Point,
  lines: string | readonly string[],
  kind = "",
  anchor: "start" | "middle" | "end" = "start",
): string {
  return [lines]
    .flat()
    .map(
      (line, index) =>
        `<text class="${kind}" x="${x}" y="${y + index * LINE_HEIGHT}" text-anchor="${anchor}">${escapeText(line)}</text>`,
    )
    .join("");
}

/** Draws a box with centered lines, the first of them strong. */
export function box(
  [x, y]: Point,
  [width, height]: Point,
  lines: readonly string[],
  kind = "",
): string {
  const first = y + height / 2 + 4.5 - ((lines.length - 1) * LINE_HEIGHT) / 2;
  const shown = lines.map((line, index) =>
    text(
      [x + width / 2, first + index * LINE_HEIGHT],
      line,
      kind === "question" ? "strong" : lineKind(line, index),
      "middle",
    ),
  );
  return `<rect class="box ${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>${shown.join("")}`;
}

/** Draws a line through points that ends in a tip. */
export function arrow(points: readonly Point[], kind = ""): string {
  const [from, to] = points.slice(-2) as [Point, Point];
  const angle = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;
  const path = points.map((point) => point.join(" ")).join(" L ");
  return `<g class="${kind}"><path class="line" d="M ${path}"/><path class="tip" d="M 0 0 L -9 -4.5 L -9 4.5 Z" transform="translate(${to.join(" ")}) rotate(${Math.round(angle)})"/></g>`;
}

/** Draws a frame without a filling. */
export function frame([x, y]: Point, [width, height]: Point, kind = ""): string {
  return `<rect class="none ${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="10"/>`;
}

/** Draws a cross with a number, where a process may end. */
export function crash([x, y]: Point, number: number): string {
  return `<g class="bad"><path class="line" stroke-width="2.5" d="M ${x - 6} ${y - 6} l 12 12 m 0 -12 l -12 12"/></g>${text([x, y - 12], String(number), "bad strong", "middle")}`;
}

/** Names of code are set in the font of code. */
function lineKind(line: string, index: number): string {
  if (/^[@a-z][\w/-]*(\(\))?$/.test(line) && /[A-Z/_-]|^[a-z]+$/.test(line)) return "mono strong";
  return index === 0 ? "strong" : "small";
}

function escapeText(line: string): string {
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
