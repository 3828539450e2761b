const LONGEST = 155;

/** Returns the description of a page that has none: its first paragraph, shortened. */
export function describe(
  page: { readonly title: string; readonly filePath: string },
  text: string,
): string {
  if (page.filePath.startsWith("api/"))
    return `API of ${page.title === "fieldmesh" ? "all packages" : page.title}: every export with its types, limits, errors and an example.`;
  const first = text
    .replace(/^---\n[^]*?\n---\n/, "")
    .split(/\n{2,}/)
    .find((block) => !/^(#|```|<|\||:::)/.test(block.trim()));
  const plain = (first ?? "")
    .replace(/\*\*Context\.\*\*/, "")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    // The description becomes an HTML attribute.
    .replaceAll('"', "'")
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= LONGEST) return plain;
  return `${plain.slice(0, LONGEST - 1).replace(/\s+\S*$/, "")}…`;
}
