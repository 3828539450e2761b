/** Escapes Markdown for a table cell, on one line. */
export function cell(text: string): string {
  return prose(text)
    .replaceAll("|", "\\|")
    .replace(/\s*\n\s*/g, " ");
}

/** Escapes a doc comment, so that nothing outside of code becomes HTML or a Vue expression, and marks what is observed. */
export function prose(text: string): string {
  return outsideCode(text, escapeMarkup).replace(/\(observed\)/g, mark("observed"));
}

function escapeMarkup(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;");
}

/** Returns a value as code. */
export function code(value: unknown): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

/** A value that ends the default of an option, or has a reason behind it. */
const VALUE =
  /^("[^"]*"|\[[^\]]*\]|\{[^}]*\}|-?\d[\d._]*|true|false|Infinity|[a-z]+(?:\.\w+|[A-Z]\w*)+)(?:$|(?: -|,) )/;

/** Returns the default of an option: `1_000 - the limit of the console` is a value and a reason, and most others are words. */
export function defaultOf(text: string): string {
  const [start = "", value] = VALUE.exec(text) ?? [];
  if (value === undefined) return text.replace(/^- /, "").replace(/ - /, ": ");
  const reason = text.slice(start.length);
  return reason === "" ? code(value) : `${code(value)} (${reason})`;
}

/** Changes the parts of Markdown that are not code. */
export function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^```[^]*?^```$|`[^`\n]*`)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");
}

/** Returns the first sentence of a doc comment. */
export function firstSentence(text: string): string {
  return /^[^]+?[.;:](?=\s|$)/.exec(text)?.[0].replace(/[;:]$/, ".") ?? text;
}

/** Returns the name of a resource as a title: `balanceCredits` is "Balance credits". */
export function titled(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns a label such as "optional" or "secret". It is plain HTML, because thousands of components would be slow to start. */
export function mark(word: string): string {
  const title = TITLES[word] === undefined ? "" : ` title="${TITLES[word]}"`;
  return `<small class="fm-mark fm-${word.replace(/ .*/, "")}"${title}>${word}</small>`;
}

const TITLES: Readonly<Record<string, string>> = {
  observed: "Seen in running deployments, and not in the published spec",
};

/** Returns a field of a JSON object if it is a string, and an empty string otherwise. */
export function stringField(object: Readonly<Record<string, unknown>>, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/** Returns a code block. */
export function fence(language: string, source: string): string {
  return `\`\`\`${language}\n${source.trim()}\n\`\`\``;
}

/** Returns a table, or an empty string if there are no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Joins paragraphs, tables and blocks, without the empty ones. */
export function page(parts: readonly (string | undefined | false)[]): string {
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** Adds frontmatter for VitePress to a generated page, of which Git knows no date. */
export function withFrontmatter(facts: Readonly<Record<string, unknown>>, body: string): string {
  const lines = Object.entries({ ...facts, lastUpdated: false }).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  return `---\n${lines.join("\n")}\n---\n\n${body}`;
}
