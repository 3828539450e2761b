import { mistake } from "./mistake.ts";

/** Throws a TypeError in a runtime that is too old: npm only warns, and the first call would fail halfway. */
export function checkRuntime(): void {
  if (typeof Promise.withResolvers === "function") return;
  // That of an async function is the runtime's own.
  if ((async () => {})().constructor !== Promise)
    throw mistake(
      "The global Promise was replaced, and the replacement has no withResolvers. Keep that of the runtime, and give another one, such as Bluebird, a name of its own.",
    );
  const { process } = globalThis as { process?: { readonly version?: string } };
  const found = process?.version === undefined ? "" : `, and this is Node ${process.version}`;
  throw mistake(
    `fieldmesh needs Node 22.12 or later, or another runtime of 2024 or later${found}.`,
  );
}
