const LONGEST = 155;

/** Returns the description of a page that has none: its first paragraph, shortened. */
export function describe(
  page: { readonly title: string; readonly filePath: string },
  text: string,
): string {
  const symbol = SYMBOL.exec(page.filePath);
  if (page.filePath.startsWith("api/") && symbol === null)
    return `API of ${page.title === "API reference" ? "all packages" : page.title}: every export with a sentence, functions first.`;
  const [, entry = "", kind = "", name = ""] = symbol ?? [];
  const what = symbol === null ? "" : `${name} (${kind.replace("-", " ")} of ${entry}): `;
  return shorten(what + firstParagraph(text));
}

/** The page of a symbol of the API. */
const SYMBOL = /^api\/(.+)\/(functions|classes|variables|interfaces|type-aliases)\/(.+)\.md$/;

function firstParagraph(text: string): string {
  const first = text
    .replace(/^---\n[^]*?\n---\n/, "")
    .split(/\n{2,}/)
    // TypeDoc begins a page with the way to it, and signatures are quotes.
    .find((block) => !/^(#|```|<|>|\||:::|\[fieldmesh\])/.test(block.trim()));
  return plain(first ?? "");
}

function plain(text: string): string {
  return (
    text
      .replace(/\*\*Context\.\*\*/, "")
      .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
      .replace(/[`*]/g, "")
      // The description becomes an HTML attribute.
      .replaceAll('"', "'")
      .replace(/\s+/g, " ")
      .trim()
  );
}

function shorten(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST - 1).replace(/\s+\S*$/, "")}…`;
}
