/** Returns the tag of npm for a version. A candidate is what a plain install brings until there is another version. */
export function distTag(version: string, published: readonly string[]): string {
  const [, candidate = "latest"] = /-(\w+)/.exec(version) ?? [];
  return published.some((each) => !each.includes("-")) ? candidate : "latest";
}
