// The oldest Node on which ky 2 is supported, and on which the packages are tested.
const OLDEST = [22, 12] as const;

/** Refuses a Node that is too old in a sentence, before anything fails in a way that nobody understands. */
export function checkRuntime(version: string | undefined = nodeVersion()): void {
  if (version === undefined) return;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new Error(
    `fieldmesh needs Node ${OLDEST.join(".")} or later, and this is Node ${version}. Install a newer one.`,
  );
}

/** Browsers and workers have no such version. */
function nodeVersion(): string | undefined {
  return (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node;
}
