/**
 * Returns what the search reads of a page: no code. A generated page is found by its headings and by the first sentence below
 * each: with all fields and signatures, the index would be larger than the pages of the guides together. Decisions are for
 * those who change the packages, and are not searched.
 */
export function searchText(source: string, path: string): string {
  if (path.startsWith("decisions/")) return "";
  const prose = source.replace(/^```[^]*?^```$/gm, "");
  const [frontmatter = ""] = /^---\n[^]*?\n---\n/.exec(prose) ?? [];
  if (!/^(api|events|reference)\b/.test(path)) return withDescription(prose, frontmatter);
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
    const text = lines
      .slice(lines.indexOf(heading) + 1)
      .find((line) => line !== "" && !/^[#<|:]/.test(line));
    return [heading, isEvent ? `Webhook event: ${text}` : (text ?? "")];
  });
}
