import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { readSamples, type Sample } from "../samples.ts";
import { canRun, fileOf, needOf } from "./run/needs.ts";

const DIAGRAMS = join(import.meta.dirname, "..", "diagrams");
/** How each package manager says what npm says. */
const MANAGERS: Readonly<Record<string, (line: string) => string>> = {
  npm: (line) => line,
  pnpm: (line) => line.replace("npm install", "pnpm add"),
  yarn: (line) => line.replace("npm install", "yarn add").replace("--save-dev", "--dev"),
  bun: (line) => line.replace("npm install", "bun add").replace("--save-dev", "--dev"),
};
/** A block with what the sample above it prints. */
const OUTPUT = /^text (output|\[it prints\])/;
/** A name longer than this may need two lines on a phone. */
const LONG_NAME = 24;

/** What our pages write in a shorter form than HTML. */
export function addRules(markdown: MarkdownRenderer): void {
  addManagerTabs(markdown);
  markFirstSample(markdown);
  inlineDiagrams(markdown);
  addRuns(markdown);
  boxTables(markdown);
  nameColumns(markdown);
  const { code_inline: writeCode } = markdown.renderer.rules;
  markdown.renderer.rules["code_inline"] = (...args) =>
    // What is in code is text, also where it has the braces of Vue.
    breakNames(writeCode!(...args).replace("<code", "<code v-pre"));
}

/** Gives a sample its button, or says what it needs, and writes what it prints. */
function addRuns({ renderer, utils }: MarkdownRenderer): void {
  const samples = new Map(readSamples().map((sample) => [sample.code, sample]));
  const writeFence = renderer.rules["fence"]!;
  renderer.rules["fence"] = (...args) => {
    const [tokens, index] = args;
    const { info, content } = tokens[index]!;
    const isOutput = OUTPUT.test(info);
    const block = isOutput ? tokens[index - 1]?.content : content;
    const sample = samples.get(block ?? "");
    if (isOutput) {
      const isRunnable = sample !== undefined && canRun(sample);
      return writeOutput(utils.escapeHtml(content.trimEnd()), isRunnable && openTag(sample));
    }
    const html = nameTab(writeFence(...args), info);
    const need = sample && needOf(sample);
    // In the box of the code, because a tab has one element.
    return need === undefined
      ? html
      : html.replace(/(?=<\/div>\s*$)/, `<p class="fm-needs">Needs ${need}.</p>`);
  };
}

/** The name of a tab, which is printed above its code: paper shows every tab. */
function nameTab(html: string, info: string): string {
  const [, name] = /\[([^\]]+)\]/.exec(info) ?? [];
  return name === undefined ? html : html.replace("<div ", `<div data-tab="${name}" `);
}

function openTag(sample: Sample): string {
  return `<SampleRun name="${sample.name}" file="${fileOf(sample)}">`;
}

/** What a sample prints has no colors, and wraps. */
function writeOutput(html: string, tag: string | false): string {
  const output = `<pre v-pre><code>${html}</code></pre>`;
  return tag === false
    ? `<div class="fm-output"><span>Output</span>${output}</div>\n`
    : `${tag}${output}</SampleRun>\n`;
}

/** Lets a long name break behind its punctuation, and only there. */
function breakNames(html: string): string {
  return html.replace(/>([^<]+)</, (_, text: string) => {
    const isLong = text.split(/\s/).some((word) => word.length > LONG_NAME);
    return `>${isLong ? text.replace(/([./_,(:-])(?=\w)/g, "$1<wbr>") : text}<`;
  });
}

/** Puts a table into a box that scrolls. The endpoints have many tables of the full width, and a page has few elements. */
function boxTables({ renderer }: MarkdownRenderer): void {
  const isBoxed = (env: unknown): boolean =>
    (env as { relativePath?: string }).relativePath?.startsWith("reference/") !== true;
  renderer.rules["table_open"] = (_tokens, _index, _options, env) =>
    isBoxed(env) ? '<div class="fm-table" tabindex="0"><table>\n' : '<table tabindex="0">\n';
  renderer.rules["table_close"] = (_tokens, _index, _options, env) =>
    isBoxed(env) ? "</table></div>\n" : "</table>\n";
}

/** A cell says what its column is, for a phone, where the cells of a row are below each other. */
function nameColumns({ core }: MarkdownRenderer): void {
  core.ruler.push("name-columns", ({ tokens }) => {
    let columns: string[] = [];
    let column = 0;
    for (const [index, token] of tokens.entries()) {
      if (token.type === "thead_open") columns = [];
      if (token.type === "th_open") columns.push(plainOf(tokens[index + 1]));
      if (token.type === "tr_open") column = 0;
      if (token.type === "td_open") token.attrSet("data-column", columns[column++] ?? "");
    }
  });
}

function plainOf(inline: { readonly children: readonly { content: string }[] | null } | undefined) {
  return (inline?.children ?? []).map(({ content }) => content).join("");
}

/** Turns a block of `npm install` into tabs for each package manager. */
function addManagerTabs({ core }: MarkdownRenderer): void {
  core.ruler.before("normalize", "manager-tabs", (state) => {
    state.src = state.src.replace(
      /^```sh\n((?:npm install (?!--global).*\n)+)```$/gm,
      (_, lines: string) => {
        const tabs = Object.entries(MANAGERS).map(
          ([name, say]) => `\`\`\`sh [${name}]\n${lines.replace(/^.*$/gm, say)}\`\`\``,
        );
        return `::: code-group\n\n${tabs.join("\n\n")}\n\n:::`;
      },
    );
  });
}

/** Gives the first sample of a page its types; those of all samples would be too many elements. */
function markFirstSample({ core }: MarkdownRenderer): void {
  core.ruler.push("first-sample", ({ tokens, env }) => {
    const { relativePath = "" } = env as { relativePath?: string };
    const sample = tokens.find(({ type, info }) => type === "fence" && info === "ts");
    if (sample !== undefined && /^(index|guides|project)\b/.test(relativePath))
      sample.info = "ts twoslash";
  });
}

/** Writes a drawing into the page, so that it has the colors of the page. */
function inlineDiagrams(markdown: MarkdownRenderer): void {
  replaceImages(markdown, DIAGRAMS, (drawing, label) => {
    const svg = drawing.replace(/<style>[^]*?<\/style>\n/, "").replaceAll("\n", "");
    // A phone scrolls the drawing in its own box, also with the keyboard.
    return `<figure class="fm-figure" tabindex="0" aria-label="${label}">${svg}</figure>`;
  });
}

/** Writes HTML in the place of each image that is alone in its paragraph and comes from a folder. */
function replaceImages(
  { core, utils }: MarkdownRenderer,
  folder: string,
  write: (svg: string, label: string, name: string) => string,
): void {
  const parent = `${basename(folder)}/`;
  core.ruler.push(parent, ({ tokens, Token }) => {
    for (const [index, { type, children }] of tokens.entries()) {
      const [image] = children ?? [];
      const source = image?.attrGet("src") ?? "";
      if (type !== "inline" || children?.length !== 1 || !source.includes(parent)) continue;
      const name = basename(source);
      const html = new Token("html_block", "", 0);
      const label = utils.escapeHtml(image!.content);
      html.content = `${write(readFileSync(join(folder, name), "utf8"), label, name)}\n`;
      tokens.splice(index - 1, 3, html);
    }
  });
}
