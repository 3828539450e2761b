/** Text as a cell of a table: one line, and nothing that ends the cell. */
export function cell(text: string): string {
  return prose(text)
    .replaceAll("|", "\\|")
    .replace(/\s*\n\s*/g, " ");
}

/** Text of a doc comment: what is neither code nor emphasis must not become HTML or a Vue expression. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeMarkup(part)))
    .join("");
}

function escapeMarkup(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;");
}

/** A word beside a name: "optional", "secret". Bare HTML, because a component for each of thousands would have to be started. */
export function mark(word: string): string {
  return `<small class="fm-mark fm-${word.replace(/ .*/, "")}">${word}</small>`;
}

/** A field of a JSON object, where it is text. */
export function textOf(object: Readonly<Record<string, unknown>>, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/** A block of code. */
export function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code.trim()}\n\`\`\``;
}

/** A table, or nothing where it would be empty. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Paragraphs, tables and blocks one below the other, without those that are empty. */
export function page(parts: readonly (string | undefined | false)[]): string {
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** A page as VitePress reads it. */
export function withFrontmatter(facts: Readonly<Record<string, unknown>>, body: string): string {
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n\n${body}`;
}
