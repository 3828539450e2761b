import { mistake } from "./mistake.ts";

/** Throws a TypeError if the global Promise lacks what a call needs: in a runtime that is too old, or if it was replaced. */
export function checkPromise(): void {
  if (typeof Promise.withResolvers === "function") return;
  // That of an async function is the runtime's own.
  if ((async () => {})().constructor !== Promise)
    throw mistake(
      "The global Promise was replaced, and the replacement has no withResolvers. Keep that of the runtime, and use another one, such as Bluebird, under a name of its own.",
    );
  const { process } = globalThis as { process?: { readonly version?: string } };
  const found = process?.version === undefined ? "" : `, and this is Node ${process.version}`;
  throw mistake(
    `fieldmesh needs Node 22.12 or later, or another runtime of 2024 or later${found}.`,
  );
}
