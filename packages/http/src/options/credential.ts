import { findSettingMistake, isSecret, revealText, type Secret } from "@fieldmesh/core";

/** A key, or a function that returns it. */
export type KeyOption = Secret | string | (() => Secret | string | Promise<Secret | string>);

/** How a service accepts its credential: which option names it, and which header carries it. */
export interface Credential {
  readonly option: string;
  readonly header: string;
  readonly value: KeyOption;
  /** Precedes the value in the header, such as `Bearer `. */
  readonly prefix?: string | undefined;
  /** What else is required of a key. Throws a TypeError that does not show it. */
  readonly check?: ((key: string) => void) | undefined;
}

/** Checks a credential when a client is created; the TypeError never shows it. A function is not called yet. */
export function checkCredential({ option, value, check }: Credential): void {
  if (value === undefined || value === null) {
    throw new TypeError(`${option} is missing. Pass the key, for example from process.env.`);
  }
  if (typeof value === "function") return;
  if (typeof value !== "string" && !isSecret(value))
    throw new TypeError(`${option} must be a string, a Secret, or a function that returns one.`);
  const key = revealText(value);
  const problem = findProblem(key);
  if (problem !== undefined) throw new TypeError(`${option} ${problem}`);
  check?.(key);
}

/** Checks what the function of a credential returned, and returns it as a string; the TypeError never shows it. */
export function checkReturnedKey(returned: unknown): string {
  if (typeof returned !== "string" && !isSecret(returned))
    throw new TypeError("did not return text or a Secret.");
  const key = revealText(returned);
  const problem = findProblem(key);
  if (problem !== undefined) throw new TypeError(`returned a key that ${problem}`);
  return key;
}

function findProblem(text: string): string | undefined {
  if (/[\r\n]/.test(text))
    return "holds a line break. Was a file read with its last line end? Trim it.";
  if (/^bearer\s/i.test(text))
    return 'begins with "Bearer ". Pass the key alone; the client adds what the header needs.';
  const mistake = findSettingMistake(text);
  if (mistake !== undefined) return mistake;
  if (/\s/.test(text))
    return "holds a blank. Was it copied with something around it? Pass the key alone.";
  // Anything else cannot be sent in a header, and fetch's own error would show the value.
  if (!/^[\x21-\x7e]+$/.test(text))
    return "holds a character that no key has. Was it copied from a formatted text?";
  return undefined;
}
