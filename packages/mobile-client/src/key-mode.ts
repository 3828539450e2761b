import { isSecret, type Secret, mistake } from "@fieldmesh/core/internal";

/** The environment that a key selects: `sandbox` has test data, `live` has customers. */
export type Mode = "sandbox" | "live";

/** Reads the mode from the prefix of a key. Returns `undefined` for a key of another form. */
export function modeOf(apiKey: Secret | string): Mode | undefined {
  const [, mode] = /^(?:pk|rk|sk)_(sandbox|live)_/.exec(textOf(apiKey)) ?? [];
  return mode as Mode | undefined;
}

function textOf(apiKey: unknown): string {
  if (isSecret(apiKey)) return apiKey.reveal();
  return typeof apiKey === "string" ? apiKey : "";
}

/** Throws a TypeError, which does not show the key, for a key of another environment. */
export function checkMode(apiKey: Secret | string, expected: Mode | undefined): void {
  if (expected === undefined) return;
  const mode = modeOf(apiKey);
  if (mode === expected) return;
  throw mistake(
    mode === undefined
      ? `mode is "${expected}", and the key does not name its environment: it has no prefix such as sk_${expected}_. Omit mode for such keys.`
      : `mode is "${expected}", but the key is for ${mode}. Check that the program reads the right environment variable.`,
  );
}
