/** How a shell user sets the options of a client. */
export interface ShellWords {
  readonly url: string;
  readonly key: string;
}

const USUAL: ShellWords = { url: "the address of the service", key: "the key" };

/** The end of a problem that only a rule of running deployments causes. */
export const OBSERVED_HINT = "(observed; --no-observed-rules turns this off)";

/** Rewrites the message of a client for a shell user: names what the user sets, and leaves out what only a program can set. */
export function inWordsOfAShell(sentence: string, { url, key }: ShellWords = USUAL): string {
  return sentence
    .replace(/, or set allowInsecureHttp\b[^.]*/, "")
    .replace(/, or create the client with validation\b[^.]*/, "")
    .replace(" If you expect a response of that size, raise maxResponseBytes of the call.", "")
    .replaceAll("(observed; `observedRules: false` turns this off)", OBSERVED_HINT)
    .replace("Use the client's credential option", `Set ${key} instead`)
    .replace("fetch does not connect to this port", "HTTP programs do not connect to this port")
    .replaceAll(/\bbaseUrl\b/g, url)
    .replaceAll(/\bapiKey\b/g, key)
    .replaceAll(/`?\bsettleTime\b`?/g, "--settle-time");
}
