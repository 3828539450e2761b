// How changesets become lines of a CHANGELOG.md. It is loaded by the command changeset, which takes no TypeScript.

/** A note of the first release stays as it is; any other becomes an item that `version.ts` sorts under its heading. */
export const getReleaseLine = async ({ summary }) => {
  const text = summary.trim();
  return text.startsWith("First release") ? text : `- ${text.replaceAll("\n", "\n  ")}`;
};

/** A new version of our own packages alone is no news. */
export const getDependencyReleaseLine = async () => "";
