/** Escapes Markdown for a table cell, on one line. */
export function cell(text: string): string {
  return prose(text)
    .replaceAll("|", "\\|")
    .replace(/\s*\n\s*/g, " ");
}

/** Escapes a doc comment, so that nothing outside of code becomes HTML or a Vue expression. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeMarkup(part)))
    .join("");
}

function escapeMarkup(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;");
}

/** Returns a label such as "optional" or "secret". It is plain HTML, because thousands of components would be slow to start. */
export function mark(word: string): string {
  return `<small class="fm-mark fm-${word.replace(/ .*/, "")}">${word}</small>`;
}

/** Returns a field of a JSON object if it is a string, and an empty string otherwise. */
export function stringField(object: Readonly<Record<string, unknown>>, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/** Returns a code block. */
export function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code.trim()}\n\`\`\``;
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

/** Adds frontmatter for VitePress to a page. */
export function withFrontmatter(facts: Readonly<Record<string, unknown>>, body: string): string {
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n\n${body}`;
}
