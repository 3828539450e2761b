import { isSecret, revealText, type Secret } from "@fieldmesh/core";

/** How a service accepts its credential: which option names it, and which header carries it. */
export interface Credential {
  readonly option: string;
  readonly header: string;
  readonly value: Secret | string;
  /** Precedes the value in the header, such as `Bearer `. */
  readonly prefix?: string | undefined;
}

/** Checks a credential when a client is created; the TypeError never shows it. */
export function checkCredential({ option, value }: Credential): void {
  if (value === undefined || value === null) {
    throw new TypeError(`${option} is missing. Pass the key, for example from process.env.`);
  }
  if (typeof value !== "string" && !isSecret(value))
    throw new TypeError(`${option} must be text or a Secret.`);
  const text = revealText(value);
  const problem = findProblem(text);
  if (problem !== undefined) throw new TypeError(`${option} ${problem}`);
}

function findProblem(text: string): string | undefined {
  if (text === "") return "is empty. Is the environment variable set?";
  if (/[\r\n]/.test(text))
    return "holds a line break. Was a file read with its last line end? Trim it.";
  if (/^bearer\s/i.test(text))
    return 'begins with "Bearer ". Pass the key alone; the client adds what the header needs.';
  if (/\s/.test(text))
    return "holds a blank. Was it copied with something around it? Pass the key alone.";
  // Anything else cannot be sent in a header, and fetch's own error would show the value.
  if (!/^[\x21-\x7e]+$/.test(text))
    return "holds a character that no key has. Was it copied from a formatted text?";
  return undefined;
}
