import { describeValue, isSecret, type Secret } from "@fieldmesh/core";

/** Which environment a key opens: test data, or customers. */
export type Mode = "sandbox" | "live";

/** Reads the mode from the prefix of a key; `undefined` for a key of another form. */
export function modeOf(apiKey: Secret | string): Mode | undefined {
  const [, mode] = /^(?:pk|rk|sk)_(sandbox|live)_/.exec(textOf(apiKey)) ?? [];
  return mode as Mode | undefined;
}

function textOf(apiKey: unknown): string {
  if (isSecret(apiKey)) return apiKey.reveal();
  return typeof apiKey === "string" ? apiKey : "";
}

/** Throws a TypeError, without the key in it, for a key of another environment. */
export function checkMode(apiKey: Secret | string, expected: Mode | undefined): void {
  if (expected === undefined) return;
  if (expected !== "sandbox" && expected !== "live")
    throw new TypeError(
      `mode must be "sandbox" or "live", or be left out; it is ${describeValue(expected)}.`,
    );
  const mode = modeOf(apiKey);
  if (mode === expected) return;
  throw new TypeError(
    mode === undefined
      ? `mode is "${expected}", and the key does not say what it opens: it has no prefix such as sk_${expected}_. Leave mode out for such keys.`
      : `mode is "${expected}", and the key opens ${mode}. Is the wrong environment variable read?`,
  );
}
