import type { Secret } from "@fieldmesh/core";
import { mistake } from "@fieldmesh/core/internal";

interface GivenSecrets {
  readonly secret?: Secret | string | (() => unknown) | undefined;
  readonly secrets?: readonly (Secret | string)[] | undefined;
}

/** Returns the secrets of the options as strings. Throws a TypeError if there is none. */
export function readSecrets(given: GivenSecrets): string[] {
  const { secret, secrets } = Object(given) as GivenSecrets;
  if (typeof secret === "function")
    throw mistake("Pass either { secret } as a function or { secrets }, not both.");
  const texts = [secrets ?? secret].flat().map(secretText);
  if ((secret && secrets) || texts.length === 0 || texts.some((text) => !text.trim()))
    throw mistake(
      "Pass { secret } or { secrets } as a string that is not empty. Is the variable set?",
    );
  return texts;
}

// Anyone could try all shorter ones against one delivery. The secrets of the service are far longer.
const LEAST_LENGTH = 8;
const LEAST_SAFE_LENGTH = 16;
const named = new Set<string>();

// Core's list of such mistakes would add a quarter to a small bundle.
const PLACEHOLDER =
  /^(<.*>|\$?\{.*\}|%\w+%|\[object \w+\]|undefined|change.?me|your.*secret|.*\.{3})$/i;

/** A file ends in a line break, and some readers of variables keep quotes. As part of the key, they would match no message. */
export function checkForms(secrets: readonly string[], isList: boolean): void {
  for (const [index, secret] of secrets.entries()) {
    const problem = /[\r\n]$/.test(secret)
      ? "ends in a line break: trim it."
      : /^(["']).*\1$/.test(secret)
        ? "is in quotes: remove them."
        : PLACEHOLDER.test(secret)
          ? "is a placeholder: set the variable."
          : secret.length < LEAST_LENGTH && "has fewer than 8 characters: pass the whole secret.";
    const name = `secret${isList ? `s[${index}]` : ""}`;
    if (problem) throw mistake(`${name} ${problem}`);
    if (secret.replace(/^whsec_/, "").length >= LEAST_SAFE_LENGTH || named.has(name)) continue;
    named.add(name);
    // oxlint-disable-next-line no-console -- the secret works, so only this line shows that others could guess it
    console.warn(
      `${name} has fewer than ${LEAST_SAFE_LENGTH} characters after its prefix: create a longer one.`,
    );
  }
}

/** Same as `revealText` of core, without the class, which would be a third of a small bundle. An unset variable is an empty string. */
export function secretText(secret: Secret | string | undefined): string {
  return typeof secret === "string" ? secret : (secret?.reveal?.() ?? "");
}
