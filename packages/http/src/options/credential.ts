import {
  findSettingMistake,
  isSecret,
  revealText,
  type Secret,
  mistake,
} from "@fieldmesh/core/internal";

/** An API key, or a function that returns it. */
export type KeyOption = Secret | string | (() => Secret | string | Promise<Secret | string>);

/** How a service receives its credential: the option that sets it, and the header that carries it. */
export interface Credential {
  readonly option: string;
  readonly header: string;
  readonly value: KeyOption;
  /** Precedes the value in the header, such as `Bearer `. */
  readonly prefix?: string | undefined;
  /** Further rules for the key. Throws a TypeError that does not show it. */
  readonly check?: ((key: string) => void) | undefined;
}

/** Checks a credential when a client is created. The TypeError never shows it. A function is not called yet. */
export function checkCredential({ option, value, check }: Credential): void {
  if (value === undefined || value === null) {
    throw mistake(`${option} is missing. Pass the key, for example from process.env.`);
  }
  if (typeof value === "function") return;
  if (typeof value !== "string" && !isSecret(value))
    throw mistake(`${option} must be a string, a Secret, or a function that returns one.`);
  const key = revealText(value);
  const problem = findProblem(key);
  if (problem !== undefined) throw mistake(`${option} ${problem}`);
  check?.(key);
}

/** Checks what the function of a credential returned, and returns it as a string. The TypeError never shows it. */
export function checkReturnedKey(returned: unknown): string {
  if (typeof returned !== "string" && !isSecret(returned))
    throw mistake("did not return a string or a Secret.");
  const key = revealText(returned);
  const problem = findProblem(key);
  if (problem !== undefined) throw mistake(`returned a key that ${problem}`);
  return key;
}

function findProblem(text: string): string | undefined {
  if (/[\r\n]/.test(text)) return "contains a line break. If you read it from a file, trim it.";
  if (/^bearer\s/i.test(text))
    return 'begins with "Bearer ". Pass only the key: the client adds what the header needs.';
  const problem = findSettingMistake(text);
  if (problem !== undefined) return problem;
  if (/\s/.test(text))
    return "contains a space. Pass only the key, without the characters around it.";
  // A header cannot carry anything else, and the error of fetch would show the value.
  if (!/^[\x21-\x7e]+$/.test(text))
    return "contains a character that no key has. If you copied it from a formatted document, copy the plain text.";
  return undefined;
}
