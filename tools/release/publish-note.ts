/** The paragraph of the README that says how to install a package before the first release. */
const NOTE = /<!-- Until the first release: .*? -->\n\n.*?\n\n<!-- End of the paragraph. -->\n\n/s;

/** Removes that paragraph. A release calls this, because its packages are on npm afterwards. */
export function withoutPublishNote(readme: string): string {
  return readme.replace(NOTE, "");
}
