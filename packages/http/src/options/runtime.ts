import { mistake } from "@fieldmesh/core/internal";

/** Throws a TypeError in a runtime that is too old: npm only warns, and the first call would fail halfway. */
export function checkRuntime(): void {
  if (typeof Promise.withResolvers === "function") return;
  const { process } = globalThis as { process?: { readonly version?: string } };
  const found = process?.version === undefined ? "" : `, and this is Node ${process.version}`;
  throw mistake(
    `fieldmesh needs Node 22.12 or later, or another runtime of 2024 or later${found}.`,
  );
}
