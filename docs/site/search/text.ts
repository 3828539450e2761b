/** The name of an option in the first column of a table, which is found like a title: chunkSize, and not headers, a word too. */
const ROW = /^\| `(\w*[a-z][A-Z]\w*)`/gm;
/** The generated pages with options. */
const OPTIONS = /^reference\/\w+\/(?:client|methods)\.md$/;

/**
 * Returns what the search reads of a page: no code. A generated page is found by its headings, by the first sentence below
 * each, and by the names of options: with all fields and signatures, the index would be larger than the pages of the guides together. Decisions are for
 * those who change the packages, and are not searched.
 */
export function searchText(source: string, path: string): string {
  if (path.startsWith("decisions/")) return "";
  const prose = source.replace(/^```[^]*?^```$/gm, "");
  const [frontmatter = ""] = /^---\n[^]*?\n---\n/.exec(prose) ?? [];
  if (!/^(api|events|reference)\b/.test(path))
    return withDescription(prose.replace(ROW, "| =$1 `$1`"), frontmatter);
  const lines = prose.slice(frontmatter.length).split("\n");
  const kept = [frontmatter, ...keptOf(path, lines)].join("\n\n");
  return path.startsWith("reference/") ? withDescription(kept, frontmatter) : kept;
}

/** The description of a page sums it up. */
function withDescription(prose: string, frontmatter: string): string {
  const [, description = ""] = /^description: "?(.*?)"?$/m.exec(frontmatter) ?? [];
  return prose.replace(/^# .*\n/m, (heading) => `${heading}\n${description}\n`);
}

function keptOf(path: string, lines: readonly string[]): string[] {
  const headings = lines.filter((line) => /^#{1,3} /.test(line));
  // A symbol has its name.
  if (path.startsWith("api/")) return headings.slice(0, 1);
  const isEvent = path.startsWith("events/");
  return (isEvent ? headings.slice(0, 1) : headings).flatMap((heading) => {
    const below = lines.slice(lines.indexOf(heading) + 1);
    const text = below.find((line) => line !== "" && !/^[#<|:]/.test(line));
    if (isEvent) return [heading, `Webhook event: ${text}`];
    const end = below.findIndex((line) => /^#{1,3} /.test(line));
    const rows = OPTIONS.test(path) ? below.slice(0, end < 0 ? undefined : end) : [];
    const names = [...rows.join("\n").matchAll(ROW)].map(([, name]) => `=${name}`);
    return [heading, text ?? "", names.join(" ")];
  });
}
